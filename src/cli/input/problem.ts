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

export function formatProblem({ source, document, line, object, message }: InputProblem): string {
  const place = [source, document === undefined ? '' : `document ${document}`, line === undefined ? '' : `line ${line}`];
  return [place.filter((part) => part !== '').join(', '), ...(object === undefined ? [] : [object]), message].join(': ');
}
