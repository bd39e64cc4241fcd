import { Command } from 'commander';
import { expect, test } from 'vitest';
import { givenFlags } from '../src/given.ts';

test('the flags that were given, also with the value that they have by default', () => {
  const command = new Command()
    .option('-a, --first <A>', '', 'x')
    .option('--second <B>', '', 'y')
    .option('--no-third', '')
    .option('--fourth', '');
  command.parse(['-a', 'x', '--no-third'], { from: 'user' });
  expect(givenFlags(command)).toEqual(['--first', '--no-third']);
});
