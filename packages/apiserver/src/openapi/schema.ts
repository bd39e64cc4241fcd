export type Schema = Readonly<Record<string, unknown>>;

export interface GroupVersionKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

const prefix = '#/components/schemas/';

/** Creates a plain reference, for schemas without other keywords. */
export const createRef = (definition: string): Schema => ({ $ref: `${prefix}${definition}` });

/** Creates a reference within allOf, for schemas with other keywords: OpenAPI 3.0 ignores keywords beside `$ref`. */
export const createRefBesideKeywords = (definition: string): Schema => ({ allOf: [createRef(definition)] });

export const definitionNameOf = (ref: string): string => ref.slice(prefix.length);
