/** Something that is wrong, and where: names of fields and places in lists. */
export interface FormProblem {
  readonly path: readonly (string | number)[];
  readonly message: string;
  readonly fix: string;
  /** Whether it is the field itself that is wrong, not its value. */
  readonly atKey?: boolean;
}

/** A value in a message: short, and on one line. */
export function shown(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object' && value !== null) return 'an object';
  const text = typeof value === 'string' ? JSON.stringify(value) : String(value);
  return text.length > 80 ? `${text.slice(0, 80)}...` : text;
}
