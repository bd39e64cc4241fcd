/** Each form of expression with each of the texts, as a literal, in the place of its dollar signs. */
export const calls = (forms: readonly string[], texts: readonly string[]): string[] =>
  texts.flatMap((text) => forms.map((form) => form.replaceAll('$', () => literal(text))));

/** A text as CEL writes it. */
const literal = (text: string): string => JSON.stringify(text);
