import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readTextFile, root } from '../support/repository.ts';

const folder = 'packages/cli/test/cases';
const [, section = ''] = readTextFile('docs/semantics/diagnosis.md').split('\n## Checks of other tools\n');
const rows = section
  .split('\n')
  .filter((line) => line.startsWith('| ') && !line.startsWith('| check of'))
  .map((line) => line.split('|').map((cell) => cell.trim()))
  .map(([, check = '', name = '', answer = '']) => ({ check, name: name.replaceAll('`', ''), answer }));
const withCase = rows.filter(({ name }) => name !== '');

test('the tables have rows for both tools', () => {
  expect(rows.length).toBeGreaterThan(70);
  for (const { answer } of rows) expect(answer).not.toBe('');
});

test.each(withCase)('$check: $name exists, and its cause is that of the table', ({ name, answer }) => {
  const path = `${folder}/${name}.yaml`;
  expect(existsSync(join(root, path)), path).toBe(true);
  const [, cause] = /^# cause: (\w+)$/m.exec(readTextFile(path)) ?? [];
  const [, code = 'none'] = /^`(\w+)`$/.exec(answer) ?? [];
  expect(code).toBe(cause);
});
