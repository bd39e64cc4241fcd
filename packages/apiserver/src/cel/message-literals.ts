/** A literal of a message, such as `Object.spec{replicas: 3}`. */
export interface MessageLiteral {
  readonly typeName: string;
  /** Offset of its opening brace. */
  readonly brace: number;
  readonly fields: { readonly name: string /** Offset of its colon. */; readonly colon: number }[];
}

/** An expression whose message literals are calls, because the CEL library has no such literals. */
export interface RewrittenExpression {
  readonly source: string;
  /** In the order of their calls in `source`. */
  readonly literals: readonly MessageLiteral[];
  /** Offset in the original of an offset in `source`. */
  toOriginal(offset: number): number;
}

/** The function that creates a message from a map of its fields. The key of an optional entry begins with "?". */
export const constructorOf = (typeName: string): string => `__new_${typeName.replaceAll('.', '__')}`;

/** Rewrites the message literals of an expression. A malformed literal becomes a call that does not compile. */
export function rewriteMessageLiterals(original: string): RewrittenExpression {
  const writer = createWriter(original);
  const literals: MessageLiteral[] = [];
  const openBrackets: Bracket[] = [];
  const matchAt = (pattern: RegExp, offset: number): RegExpExecArray | null => {
    pattern.lastIndex = offset;
    return pattern.exec(original);
  };
  for (let position = 0; position < original.length; ) {
    const bracket = openBrackets.at(-1);
    const field = bracket?.literal && bracket.expectsField ? matchAt(fieldPattern, position) : null;
    const start = field ? null : matchAt(messagePattern, position);
    const [token] = field ?? start ?? matchAt(textPattern, position) ?? matchAt(pathPattern, position) ?? [original[position] as string];
    const end = position + token.length;
    if (field) openField(field, end - 1, bracket as Bracket, writer);
    else if (start && !notTypes.has(start[1] as string)) {
      const literal = { typeName: (start[1] as string).replace(/\s/g, ''), brace: end - 1, fields: [] };
      literals.push(literal);
      openBrackets.push({ literal, expectsField: true, hasField: false });
      writer.insert(`${constructorOf(literal.typeName)}({`, literal.brace);
    } else copyToken(token, position, openBrackets, writer);
    position = end;
  }
  return { ...writer.finish(), literals };
}

interface Bracket {
  /** Undefined for brackets that are not those of a literal. */
  readonly literal: MessageLiteral | undefined;
  /** Whether a field may begin here. */
  expectsField: boolean;
  /** Whether a field is open, whose value must be closed. */
  hasField: boolean;
}

const messagePattern = /([A-Za-z_]\w*(?:\s*\.\s*[A-Za-z_]\w*)*)\s*\{/y;
const fieldPattern = /(\??)\s*([A-Za-z_]\w*)\s*:/y;
const pathPattern = /[A-Za-z_]\w*(?:\s*\.\s*[A-Za-z_]\w*)*/y;
/** Texts, bytes and comments. */
const textPattern =
  /[rR]?[bB]?[rR]?(?:"""[\s\S]*?(?:"""|$)|'''[\s\S]*?(?:'''|$)|"(?:\\[\s\S]|[^"\\])*(?:"|$)|'(?:\\[\s\S]|[^'\\])*(?:'|$))|\/\/[^\n]*/y;
const notTypes: ReadonlySet<string> = new Set(['in', 'true', 'false', 'null']);

function openField([, optional = '', name = '']: RegExpExecArray, colon: number, bracket: Bracket, writer: Writer): void {
  bracket.literal?.fields.push({ name, colon });
  bracket.expectsField = false;
  bracket.hasField = true;
  writer.insert(`"${optional}${name}": dyn(`, colon);
}

function copyToken(token: string, position: number, openBrackets: Bracket[], writer: Writer): void {
  const bracket = openBrackets.at(-1);
  const isSeparator = token === ',' || token === '}';
  if (bracket?.literal && isSeparator) {
    if (bracket.hasField) writer.insert(')', position);
    bracket.expectsField = token === ',';
    bracket.hasField = false;
  } else if (bracket && !/^\s+$/.test(token)) bracket.expectsField = false;
  writer.copy(position, token.length);
  if (token === '{' || token === '[' || token === '(') openBrackets.push({ literal: undefined, expectsField: false, hasField: false });
  if (token !== '}' && token !== ']' && token !== ')') return;
  openBrackets.pop();
  if (bracket?.literal) writer.insert(')', position);
}

interface Writer {
  /** Appends a text; the offset of an error in it is `anchor`. */
  insert(text: string, anchor: number): void;
  copy(start: number, length: number): void;
  finish(): Pick<RewrittenExpression, 'source' | 'toOriginal'>;
}

function createWriter(original: string): Writer {
  const parts: { readonly at: number; readonly start: number; readonly isCopy: boolean }[] = [];
  const texts: string[] = [];
  let length = 0;
  const append = (text: string, start: number, isCopy: boolean): void => {
    parts.push({ at: length, start, isCopy });
    texts.push(text);
    length += text.length;
  };
  return {
    insert: (text, anchor) => append(text, anchor, false),
    copy: (start, count) => append(original.slice(start, start + count), start, true),
    finish: () => ({
      source: texts.join(''),
      toOriginal(offset) {
        const part = parts.findLast(({ at }) => at <= offset);
        return part ? part.start + (part.isCopy ? offset - part.at : 0) : offset;
      },
    }),
  };
}
