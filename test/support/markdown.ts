/** A fenced block of a document. */
export interface Block {
  /** 1-based line of the opening fence. */
  readonly line: number;
  readonly language: string;
  readonly text: string;
  /** The text of the next block if its language is `text` and only blank lines are between the blocks. */
  readonly output?: string;
}

/** A command in a `sh` block with its documented output. */
export interface Command {
  readonly line: string;
  readonly output: string;
}

export interface Markdown {
  readonly blocks: readonly Block[];
  /** Targets of links and images, as written. */
  readonly links: readonly string[];
  /** Anchors that links may refer to. */
  readonly anchors: ReadonlySet<string>;
}

export function readMarkdown(source: string): Markdown {
  const { blocks, prose } = splitFences(source.replaceAll('\r\n', '\n').split('\n'));
  return { blocks: blocks.map((block, i) => withOutput(block, blocks[i + 1], source)), links: linksOf(prose), anchors: anchorsOf(prose) };
}

/** Finds the commands of a `sh` block: lines that begin with `$ `, each with the output that follows. */
export function commandsOf(text: string): Command[] {
  const [, ...parts] = `\n${text}`.replaceAll('\\\n', '').split('\n$ ');
  return parts.map((part) => {
    const [line = '', ...output] = part.split('\n');
    return { line, output: output.join('\n').trimEnd() };
  });
}

/** Whether a text matches documented output, in which a line with only `…` stands for any number of lines. */
export function matchesOutput(text: string, documented: string): boolean {
  const [first = '', ...others] = documented.trimEnd().split(/^\s*…\s*\n?/m);
  const actual = text.trimEnd();
  if (others.length === 0) return actual === first;
  const last = others.pop() ?? '';
  if (!actual.startsWith(first) || !actual.slice(first.length).endsWith(last)) return false;
  let offset = first.length;
  for (const part of others) {
    const index = actual.indexOf(part, offset);
    if (index < 0) return false;
    offset = index + part.length;
  }
  return offset <= actual.length - last.length;
}

function splitFences(lines: readonly string[]): { blocks: Block[]; prose: string } {
  const blocks: Block[] = [];
  const prose: string[] = [];
  for (let i = 0; i < lines.length; i += 1) {
    const [, indent, fence, language] = /^(\s*)(`{3,})\s*(.*?)\s*$/.exec(lines[i] ?? '') ?? [];
    if (indent === undefined || fence === undefined) {
      prose.push(lines[i] ?? '');
      continue;
    }
    const start = i + 1;
    const length = lines.slice(start).findIndex((line) => line.trim() === fence);
    if (length < 0) throw new Error(`the block that begins in line ${start} never ends`);
    const text = lines.slice(start, start + length).map((line) => (line.startsWith(indent) ? line.slice(indent.length) : line));
    blocks.push({ line: start, language: language ?? '', text: text.join('\n') });
    i = start + length;
  }
  return { blocks, prose: prose.join('\n') };
}

function withOutput(block: Block, next: Block | undefined, source: string): Block {
  if (next?.language !== 'text') return block;
  const end = block.line + block.text.split('\n').length;
  const between = source.split('\n').slice(end + 1, next.line - 1);
  return between.every((line) => line.trim() === '') ? { ...block, output: next.text } : block;
}

function linksOf(prose: string): string[] {
  // Keep a backtick in place of code, so that the name of a reference is not empty.
  const text = prose.replace(/`[^`\n]*`/g, '`');
  const inline = text.matchAll(/\]\(\s*<?([^)\s>]+)>?[^)]*\)/g);
  const references = text.matchAll(/^\s*\[[^\]]+\]:\s*(\S+)/gm);
  const html = text.matchAll(/\b(?:href|src)="([^"]+)"/g);
  return [...inline, ...references, ...html].map(([, target]) => target ?? '');
}

function anchorsOf(prose: string): Set<string> {
  const anchors = new Set<string>();
  for (const [, heading = ''] of prose.matchAll(/^#{1,6}\s+(.*?)\s*#*$/gm)) {
    const slug = slugOf(heading);
    let anchor = slug;
    for (let i = 1; anchors.has(anchor); i += 1) anchor = `${slug}-${i}`;
    anchors.add(anchor);
  }
  for (const [, id = ''] of prose.matchAll(/<a (?:id|name)="([^"]+)"/g)) anchors.add(id);
  return anchors;
}

const slugOf = (heading: string): string =>
  heading
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replace(/\s/g, '-');
