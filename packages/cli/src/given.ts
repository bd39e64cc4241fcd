import type { Command } from 'commander';

/** The flags that stand on the command line, as "--port", in the order in which the command lists them; not those that go without saying. */
export const givenFlags = (command: Command): readonly string[] =>
  command.options.filter((option) => command.getOptionValueSource(option.attributeName()) === 'cli').map(({ long }) => long ?? '');
