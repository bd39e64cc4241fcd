/** Each form of expression with each text, as a literal, in place of its dollar sign. */
export const calls = (forms: readonly string[], texts: readonly string[]): string[] =>
  texts.flatMap((text) => forms.map((form) => form.replaceAll('$', () => literal(text))));

/** A text as a CEL literal. */
const literal = (text: string): string => JSON.stringify(text);
