import type { Command, Option } from 'commander';
import type { Output } from './base/io.ts';

/** A word that may follow, and what it means. */
interface Candidate {
  readonly word: string;
  readonly description: string;
}

interface Completion {
  readonly candidates: readonly Candidate[];
  /** True if the name of a file may follow. */
  readonly files: boolean;
}

/** The first argument of a command line that asks for completions. The protocol is that of cobra, which kubectl's plugins use. */
export const completeCommand = '__complete';

/**
 * Prints the completions of the last word of a command line, one a line with its description, and a line that says whether files may follow.
 * @param load adds the flags and arguments of a command
 */
export async function printCompletions(
  words: readonly string[],
  program: Command,
  load: (command: Command) => Promise<void>,
  stdout: Pick<Output, 'write'>,
): Promise<void> {
  const { candidates, files } = await complete(words, program, load);
  for (const { word, description } of candidates) stdout.write(`${word}\t${description}\n`);
  stdout.write(`:${files ? directives.files : directives.noFiles}\n`);
}

/** ShellCompDirectiveDefault and ShellCompDirectiveNoFileComp of cobra. */
const directives = { files: 0, noFiles: 4 } as const;

async function complete(words: readonly string[], program: Command, load: (command: Command) => Promise<void>): Promise<Completion> {
  // Bash splits --output=json into three words.
  const separateWords = words.filter((word, index) => word !== '=' || index === words.length - 1);
  const last = separateWords.at(-1) ?? '';
  let command = program;
  let option: Option | undefined;
  for (const word of separateWords.slice(0, -1)) {
    const isValue = option !== undefined;
    option = isValue || !word.startsWith('-') ? undefined : findOption(command, word);
    const subcommand = isValue || word.startsWith('-') ? undefined : command.commands.find((candidate) => candidate.name() === word);
    if (!subcommand) continue;
    command = subcommand;
    if (command.parent === program) await load(command);
  }
  if (option) return completeValue(option, last === '=' ? '' : last, '');
  const [, flag = '', value] = /^(--[^=]+)=(.*)$/.exec(last) ?? [];
  const givenOption = value === undefined ? undefined : findOption(command, flag);
  if (givenOption && value !== undefined) return completeValue(givenOption, value, `${flag}=`);
  return { candidates: last.startsWith('-') ? listOptions(command, last) : listWords(command, last), files: false };
}

/** Finds the option that takes the next word as its value; undefined if the word is a flag without a value, or contains its value. */
const findOption = (command: Command, word: string): Option | undefined =>
  optionsOf(command).find(({ long, short, required, optional }) => (required || optional) && (word === long || word === short));

/** The options of a command and of the commands above it. */
const optionsOf = (command: Command): readonly Option[] => [
  ...command.options.filter(({ hidden }) => !hidden),
  ...(command.parent ? optionsOf(command.parent) : []),
];

function completeValue({ argChoices = [], flags, description }: Option, value: string, prefix: string): Completion {
  const choices = argChoices.filter((choice) => choice.startsWith(value));
  return { candidates: choices.map((choice) => ({ word: prefix + choice, description })), files: /<(FILE|DIRECTORY)\b/.test(flags) };
}

function listOptions(command: Command, start: string): readonly Candidate[] {
  const candidates = optionsOf(command).map(({ long, short, description }) => ({ word: long ?? short ?? '', description }));
  const help = { word: '--help', description: 'print help' };
  return [...candidates, help].filter(({ word }) => word.startsWith(start));
}

/** Lists the subcommands of a command; if it has none, the values of its arguments. */
function listWords(command: Command, start: string): readonly Candidate[] {
  const subcommands = command.commands.map((subcommand) => ({ word: subcommand.name(), description: subcommand.description() }));
  const values = command.registeredArguments.flatMap(({ argChoices = [], description }) =>
    argChoices.map((word) => ({ word, description })),
  );
  return [...subcommands, ...values].filter(({ word }) => word.startsWith(start));
}
