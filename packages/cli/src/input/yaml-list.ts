/** A list as text, taken apart: where its items stand, each a sequence of one, and the document without them. */
export interface ListParts {
  readonly rest: string;
  readonly items: readonly { readonly start: number; readonly end: number }[];
}

/**
 * Takes `kind: List` as kubectl prints it apart without parsing it: the lines below `items:` that begin with "- " in the
 * column of the first one begin an item each, up to a line that begins further left. Undefined where the text is not so.
 */
export function splitList(text: string): ListParts | undefined {
  const head = /^items:[ \t]*\r?\n(?=([ ]*)- )/m.exec(text);
  if (!head) return undefined;
  const column = head[1] as string;
  const start = head.index + head[0].length;
  const starts: number[] = [];
  let end = text.length;
  for (let at = start; at < text.length; at = lineAfter(text, at)) {
    if (text.startsWith(`${column}- `, at)) starts.push(at);
    else if (!isWithinItem(text, at, column.length)) {
      end = at;
      break;
    }
  }
  const items = starts.map((from, i) => ({ start: from, end: starts[i + 1] ?? end }));
  return { rest: `${text.slice(0, head.index)}items: []\n${text.slice(end)}`, items };
}

const lineAfter = (text: string, at: number): number => {
  const end = text.indexOf('\n', at);
  return end === -1 ? text.length : end + 1;
};

/** Whether a line is blank, a comment, or further right than the items' dashes. */
function isWithinItem(text: string, at: number, column: number): boolean {
  let first = at;
  while (text[first] === ' ') first++;
  const unit = text[first];
  return unit === undefined || unit === '\n' || unit === '\r' || unit === '#' || first - at > column;
}
