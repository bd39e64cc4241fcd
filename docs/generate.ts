/**
 * Writes the generated pages of this folder: `npm run docs`. With --check it writes nothing, names the stale pages and exits with 1 if
 * there are any. An argument selects another folder.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { pages } from './generate/pages.ts';

const { values, positionals } = parseArgs({ options: { check: { type: 'boolean', default: false } }, allowPositionals: true });
const folder = positionals[0] ?? import.meta.dirname;
const stalePages = (await pages()).filter(({ name, text }) => readPage(name) !== text);
for (const { name, text } of stalePages) {
  if (!values.check) writeFileSync(join(folder, name), text);
  console.log(`${name} ${values.check ? 'is stale: run npm run docs' : 'written'}`);
}
if (values.check && stalePages.length > 0) process.exitCode = 1;

function readPage(name: string): string | undefined {
  const path = join(folder, name);
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined;
}
