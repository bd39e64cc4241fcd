/** Something in the input that cannot be used. Printed as one line: file, place, object, problem, fix. */
export interface InputProblem {
  /** The file name as given, or "standard input". */
  readonly source: string;
  /** 1-based; empty documents do not count. */
  readonly document?: number | undefined;
  readonly line?: number | undefined;
  /** Such as "Service shop/web". */
  readonly object?: string | undefined;
  readonly message: string;
}

export const formatProblem = ({ object, message, ...location }: InputProblem): string =>
  [formatLocation(location), ...(object === undefined ? [] : [object]), message].join(': ');

/** Such as "shop.yaml, document 2, line 14". */
export function formatLocation({ source, document, line }: Pick<InputProblem, 'source' | 'document' | 'line'>): string {
  const parts = [source, document === undefined ? '' : `document ${document}`, line === undefined ? '' : `line ${line}`];
  return parts.filter((part) => part !== '').join(', ');
}
