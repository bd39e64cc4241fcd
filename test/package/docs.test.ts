import { existsSync, symlinkSync } from 'node:fs';
import { basename, dirname, join, posix } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { type Block, commandsOf, type Markdown, matchesOutput, readMarkdown } from '../support/markdown.ts';
import { listFiles, packages, readTextFile, root } from '../support/repository.ts';
import { runNode, runShell } from '../support/run.ts';
import { sampled } from '../support/sample.ts';
import { linkPackage, linkPackages, makeFolder, writeFiles } from '../support/temporary.ts';

const documents = new Map<string, Markdown>(listFiles('', '.md').map((path) => [path, readMarkdown(readTextFile(path))]));
const blocks = [...documents].flatMap(([path, { blocks }]) => blocks.map((block) => ({ path, ...block })));
const languages = ['ts', 'js', 'sh', 'text', 'yaml', 'json', 'diff', 'mermaid', 'go'];

test('the required documents exist', () => {
  const expected = [
    'README.md',
    'CHANGELOG.md',
    'CONTRIBUTING.md',
    'SECURITY.md',
    'docs/glossary.md',
    'docs/map.md',
    'docs/versions.md',
    'docs/reasons.md',
  ];
  expect([...documents.keys()]).toEqual(expect.arrayContaining(expected));
});

test('every link refers to an existing file and heading', () => {
  const brokenLinks = [...documents].flatMap(([path, { links }]) =>
    links.filter((link) => !isValidLink(path, link)).map((link) => `${path}: ${link}`),
  );
  expect(brokenLinks).toEqual([]);
});

test('every linked name occurs in its file', () => {
  const staleLinks = [...documents.keys()].flatMap((path) =>
    [...readTextFile(path).matchAll(/^\[`(\w+)`\]: (\S+\.ts)$/gm)]
      .filter(([, name = '', file = '']) => !new RegExp(`\\b${name}\\b`).test(readTextFile(posix.join(dirname(path), file))))
      .map(([line]) => `${path}: ${line}`),
  );
  expect(staleLinks).toEqual([]);
});

test('every code block names its language', () => {
  const blocksWithoutLanguage = blocks.filter(({ language }) => !languages.includes(language)).map(locationOf);
  expect(blocksWithoutLanguage, `one of ${languages.join(', ')}`).toEqual([]);
});

test('READMEs have at most 150 lines for the root, and 100 for a package', () => {
  const lengths = packages.map(({ folder }) => ({ folder, lines: readTextFile(join(folder, 'README.md')).split('\n').length - 1 }));
  expect(lengths.filter(({ folder, lines }) => lines > (folder === '' ? 150 : 100))).toEqual([]);
});

describe('decision records', () => {
  const records = [...documents.keys()].filter((path) => /^docs\/decisions\/\d/.test(path));

  test.each(records)('%s has a status and is listed', (path) => {
    expect(readTextFile(path)).toMatch(/^# .+\n\nStatus: (accepted|superseded by \[\d+\]\([^)]+\))/);
    expect(documents.get('docs/decisions/README.md')?.links).toContain(basename(path));
  });

  test('superseded records name a record that supersedes them', () => {
    for (const path of records) {
      const [, successor] = /^Status: superseded by \[\d+\]\(([^)]+)\)/m.exec(readTextFile(path)) ?? [];
      if (successor !== undefined)
        expect(readTextFile(`docs/decisions/${successor}`)).toMatch(new RegExp(`^Status:.* Supersedes .*${basename(path)}`, 'm'));
    }
  });
});

test('README describes every command', () => {
  const { stdout } = runNode([join(root, 'packages/cli/dist/bin.js'), '--help']);
  const [, commandList = ''] = /^Commands:\n(.*?)\n\n/ms.exec(stdout) ?? [];
  const commands = [...commandList.matchAll(/^ {2}([a-z]+)/gm)].map(([, name]) => name).filter((name) => name !== 'help');
  expect(commands).toContain('trace');
  const rows = readTextFile('README.md')
    .split('\n')
    .filter((line) => line.startsWith('| `'));
  expect(commands.filter((name) => !rows.some((row) => row.startsWith(`| \`${name}\``) || row.startsWith(`| \`${name} `)))).toEqual([]);
});

describe('programs in the documents', () => {
  const programs = blocks.filter(({ language }) => language === 'ts' || language === 'js');
  const project = makeFolder();
  beforeAll(() => {
    for (const { folder, manifest } of packages) linkPackage(project, manifest.name, join(root, folder));
    linkPackages(project, ['@kubernetes/client-node', 'kubernetes-types', '@types/node', 'yaml', 'vitest', '@jest/globals']);
    symlinkSync(join(root, 'examples'), join(project, 'examples'));
    writeFiles(project, { 'package.json': '{ "type": "module" }', 'tsconfig.json': JSON.stringify(settings) });
    writeFiles(project, Object.fromEntries(programs.map((program) => [fileFor(program), program.text])));
  });

  test('pass the type check', () => {
    if (!programs.some(({ language }) => language === 'ts')) return;
    const { status, stdout } = runNode([join(root, 'node_modules/typescript/bin/tsc'), '-p', project], { cwd: project });
    expect(status, stdout).toBe(0);
  });

  test.each(sampled(programs, 8).map((program) => ({ ...program, location: locationOf(program) })))(
    '$location runs and prints the documented output',
    (program) => {
      const { status, stdout, stderr } = runNode(argumentsFor(program, join(project, fileFor(program))), { cwd: project });
      expect(status, stderr).toBe(0);
      if (program.output !== undefined && !matchesOutput(stdout, program.output)) expect(stdout.trimEnd()).toBe(program.output.trimEnd());
    },
  );
});

describe('commands in the documents', () => {
  const sessions = blocks.filter(({ language, text }) => language === 'sh' && commandsOf(text).some(({ line }) => runsCommand(line)));

  test.each(sampled(sessions, 8).map((session) => ({ ...session, location: locationOf(session) })))(
    '$location prints the documented output',
    ({ text }) => {
      let lastStatus: number | null = 0;
      for (const { line, output } of commandsOf(text)) {
        if (line === 'echo $?') expect(String(lastStatus), line).toBe(output);
        if (!runsCommand(line)) continue;
        const { status, stdout } = runShell(`{ ${withBuiltCommand(line)}\n} 2>&1`);
        if (!matchesOutput(stdout, output)) expect(stdout.trimEnd(), line).toBe(output);
        lastStatus = status;
      }
    },
  );
});

describe('the Markdown parser of these tests', () => {
  const source =
    '# A `b` c!\n[x](y.md#z) `[no](n)`\n\n```ts\nlet a;\n```\n\n```text\n1\n```\nmore\n```\n$ no\n```\n# A b c\n[`a`]: z.md\n[b]: z.md#b\n[`c`](z.md#c)\n';

  test('finds code blocks with their output, links and anchors', () => {
    expect(readMarkdown(source)).toEqual({
      blocks: [
        { line: 4, language: 'ts', text: 'let a;', output: '1' },
        { line: 8, language: 'text', text: '1' },
        { line: 12, language: '', text: '$ no' },
      ],
      links: ['y.md#z', 'z.md#c', 'z.md', 'z.md#b'],
      anchors: new Set(['a-b-c', 'a-b-c-1']),
    });
  });

  test('finds commands with their output', () => {
    expect(commandsOf('npm ci')).toEqual([]);
    expect(commandsOf('$ a \\\n  b\n1\n\n2\n\n$ c')).toEqual([
      { line: 'a   b', output: '1\n\n2' },
      { line: 'c', output: '' },
    ]);
  });

  test.each([
    ['a\nb\nc\n', 'a\nb\nc', true],
    ['a\nb\nc\n', 'a\nc', false],
    ['a\nb\nc\n', 'a\n…\nc', true],
    ['a\nb\nc\n', 'a\n…', true],
    ['a\nb\nc\nd\ne', '…\nb\n…\nd\n…', true],
    ['a\nb\nc\nd\ne', '…\nd\n…\nb\n…', false],
    ['a\nb', 'a\nb\n…\nb', false],
  ])('matchesOutput of %j and %j is %j', (text, documented, expected) => {
    expect(matchesOutput(text, documented)).toBe(expected);
  });
});

const settings = {
  compilerOptions: {
    module: 'nodenext',
    target: 'es2023',
    lib: ['es2023'],
    types: ['node'],
    strict: true,
    skipLibCheck: true,
    noEmit: true,
  },
  include: ['*.ts'],
};

function locationOf({ path, line }: Block & { path: string }): string {
  return `${path}:${line}`;
}

/** A program that calls require() is a CommonJS module; all others are ES modules. Test runners find their files by the name. */
function fileFor({ path, line, language, text }: Block & { path: string }): string {
  const isTest = runners.some((runner) => text.includes(`from '${runner}'`));
  const extension = isTest ? 'test.js' : language === 'ts' ? 'ts' : text.includes('require(') ? 'cjs' : 'js';
  return `${path.replaceAll(/[^\w]/g, '-')}-${line}.${extension}`;
}

/** Packages of test runners whose test files cannot be run as programs. */
const runners = ['vitest', '@jest/globals'];

/** The arguments of Node.js: a program that imports a test runner is a test file of this runner. */
function argumentsFor({ text }: Block, file: string): string[] {
  const name = basename(file);
  if (text.includes("from 'vitest'")) return [join(root, 'node_modules/vitest/vitest.mjs'), 'run', '--root', dirname(file), name];
  if (text.includes("from '@jest/globals'")) {
    const options = ['--rootDir', dirname(file), '--transform', '{}', name];
    return ['--experimental-vm-modules', join(root, 'node_modules/jest/bin/jest.js'), ...options];
  }
  return [file];
}

function runsCommand(line: string): boolean {
  return line.includes('npx kubectl-endpoints');
}

function withBuiltCommand(line: string): string {
  return line.replaceAll('npx kubectl-endpoints', `'${process.execPath}' '${join(root, 'packages/cli/dist/bin.js')}'`);
}

function isValidLink(from: string, link: string): boolean {
  if (/^[a-z]+:/.test(link)) return true;
  const [path = '', anchor] = decodeURI(link).split('#');
  const target = path === '' ? from : posix.normalize(posix.join(dirname(from), path));
  if (!existsSync(join(root, target))) return false;
  return anchor === undefined || !target.endsWith('.md') || (documents.get(target)?.anchors.has(anchor) ?? false);
}
