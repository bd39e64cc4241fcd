/** Something in the input that cannot be used. Told in one line, from the file inwards, ending with what would be right. */
export interface InputProblem {
  /** The file's name as it was given, or "standard input". */
  readonly source: string;
  /** Counted from 1; documents that are empty do not count. */
  readonly document?: number | undefined;
  readonly line?: number | undefined;
  /** "Service shop/web". */
  readonly object?: string | undefined;
  readonly message: string;
}

export const formatProblem = ({ object, message, ...place }: InputProblem): string =>
  [formatPlace(place), ...(object === undefined ? [] : [object]), message].join(': ');

/** "shop.yaml, document 2, line 14". */
export function formatPlace({ source, document, line }: Pick<InputProblem, 'source' | 'document' | 'line'>): string {
  const parts = [source, document === undefined ? '' : `document ${document}`, line === undefined ? '' : `line ${line}`];
  return parts.filter((part) => part !== '').join(', ');
}
