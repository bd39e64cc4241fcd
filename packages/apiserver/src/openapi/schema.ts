export type Schema = Readonly<Record<string, unknown>>;

export interface GroupVersionKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

const prefix = '#/components/schemas/';

/** A plain reference, for schemas without other keywords. */
export const refTo = (definition: string): Schema => ({ $ref: `${prefix}${definition}` });

/** A reference within allOf, for schemas with other keywords: OpenAPI 3.0 ignores keywords beside `$ref`. */
export const refBesideKeywords = (definition: string): Schema => ({ allOf: [refTo(definition)] });

export const definitionNameOf = (ref: string): string => ref.slice(prefix.length);
