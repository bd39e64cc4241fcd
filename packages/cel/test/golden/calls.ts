/** Combines every form with every text: replaces `$` by the text as a CEL literal. */
export const createCalls = (forms: readonly string[], texts: readonly string[]): string[] =>
  texts.flatMap((text) => forms.map((form) => form.replaceAll('$', () => literal(text))));

/** A text as a CEL literal. */
const literal = (text: string): string => JSON.stringify(text);
