import type { Files } from '../base/io.ts';
import { UsageError } from '../base/io.ts';
import { readText } from './sources.ts';

/** A bearer token and its user. */
export interface StaticToken {
  readonly token: string;
  readonly user: { readonly username: string; readonly uid: string; readonly groups: readonly string[] };
}

/**
 * Reads the file of `--token-auth-file`: lines of CSV with token, user name, uid and, optionally, groups separated by commas, in quotes.
 * Mirrors NewCSV (apiserver/pkg/authentication/token/tokenfile, 1.36), which skips lines without a token.
 * @throws UsageError if the file cannot be read, or a line is invalid
 */
export async function readTokenFile(path: string, files: Pick<Files, 'readFile'>): Promise<readonly StaticToken[]> {
  const text = await readText(path, files, '--token-auth-file');
  const tokens = text.split(/\r?\n/).flatMap((line, i) => (line.trim() === '' ? [] : [parseLine(line, `${path}, line ${i + 1}`)]));
  return tokens.filter(({ token }) => token !== '');
}

function parseLine(line: string, location: string): StaticToken {
  const columns = splitColumns(line);
  if (!columns) throw new UsageError(`--token-auth-file ${location}: a quote is not closed, or text follows it`);
  const [token = '', username = '', uid, groups = ''] = columns;
  if (uid === undefined)
    throw new UsageError(`--token-auth-file ${location}: ${columns.length} columns; give token,user,uid or token,user,uid,"group1,group2"`);
  return { token, user: { username, uid, groups: groups.split(',').filter((group) => group !== '') } };
}

/** Splits a line of CSV at commas outside quotes. Returns undefined if the quotes are malformed. */
function splitColumns(line: string): readonly string[] | undefined {
  const columns: string[] = [];
  let rest = line;
  for (;;) {
    const match = /^(?:"((?:[^"]|"")*)"|([^",]*))(,|$)/.exec(rest);
    if (!match) return undefined;
    columns.push(match[1]?.replaceAll('""', '"') ?? (match[2] as string));
    if (match[3] === '') return columns;
    rest = rest.slice(match[0].length);
  }
}
