/** A schema object of OpenAPI. */
export type Schema = Readonly<Record<string, unknown>>;

export interface GroupVersionKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

const prefix = '#/components/schemas/';

/** A reference that stands alone. */
export const refTo = (definition: string): Schema => ({ $ref: `${prefix}${definition}` });

/** A reference that stands beside other keywords, which OpenAPI 3.0 would overlook next to `$ref`. */
export const within = (definition: string): Schema => ({ allOf: [refTo(definition)] });

/** The definition that a reference names. */
export const referred = (ref: string): string => ref.slice(prefix.length);
