import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';

export interface TestResult {
  readonly passed: boolean;
  readonly seconds: number;
  /** The failure's message and place, on one line; empty for a test that passed. */
  readonly cause: string;
  /** Everything that the test printed. */
  readonly output: string;
}

export interface TestProgram {
  /** The path of e2e.test. */
  readonly binary: string;
  /** The flags that select the cluster. */
  readonly flags: readonly string[];
  /** A folder for reports, which is also the home directory of the tests. */
  readonly dir: string;
  /** A test is interrupted after this time. */
  readonly timeoutMs: number;
}

export interface BatchResult {
  /** By name. Lacks tests that were not run, because the process ended early. */
  readonly results: ReadonlyMap<string, TestResult>;
  /** The last lines of the process's output. */
  readonly end: string;
}

const MAX_OUTPUT_LINES = 60;
/** Ginkgo grants an interrupted test 30 seconds for its cleanup. */
const KILL_DELAY_MS = 45_000;
/** What Ginkgo prints before each test. */
const DELIMITER = '------------------------------';

/** Runs tests one after another in one process. A test that exceeds its time ends the process, after a report. */
export async function runBatch(program: TestProgram, names: readonly string[]): Promise<BatchResult> {
  const dir = mkdtempSync(join(program.dir, 'batch-'));
  const report = join(dir, 'report.json');
  const lines = await runProcess(program, dir, [
    ...program.flags,
    `--ginkgo.focus=(${names.map(escapeRegExp).join('|')})$`,
    `--ginkgo.json-report=${report}`,
    '--ginkgo.no-color',
    '--ginkgo.v',
  ]);
  const results = readReport(report, new Set(names), program.timeoutMs);
  rmSync(dir, { recursive: true, force: true });
  return { results, end: lines.join('\n') };
}

/** Returns the last lines of the process's output. Interrupts the process if a test exceeds its time. */
function runProcess({ binary, timeoutMs, dir: home }: TestProgram, dir: string, args: readonly string[]): Promise<readonly string[]> {
  const child = spawn(binary, args, { cwd: dir, env: { ...process.env, HOME: home }, stdio: ['ignore', 'pipe', 'pipe'] });
  const lines: string[] = [];
  let timer: NodeJS.Timeout | undefined;
  const interrupt = (): void => {
    child.kill('SIGINT');
    timer = setTimeout(() => child.kill('SIGKILL'), KILL_DELAY_MS);
  };
  const restartTimer = (): void => {
    clearTimeout(timer);
    timer = setTimeout(interrupt, timeoutMs);
  };
  restartTimer();
  for (const stream of [child.stdout, child.stderr]) {
    readLines(stream, (line) => {
      if (line === DELIMITER && !child.killed) restartTimer();
      lines.push(line);
      if (lines.length > MAX_OUTPUT_LINES) lines.shift();
    });
  }
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', () => {
      clearTimeout(timer);
      resolve(lines);
    });
  });
}

function readLines(stream: NodeJS.ReadableStream, onLine: (line: string) => void): void {
  let partialLine = '';
  stream.setEncoding('utf8');
  stream.on('data', (chunk: string) => {
    const lines = (partialLine + chunk).split('\n');
    partialLine = lines.pop() ?? '';
    lines.forEach(onLine);
  });
}

interface SpecReport {
  readonly ContainerHierarchyTexts: readonly string[] | null;
  readonly LeafNodeText: string;
  readonly LeafNodeType: string;
  readonly State: string;
  /** In nanoseconds. */
  readonly RunTime: number;
  readonly CapturedGinkgoWriterOutput?: string;
  readonly SpecEvents?: readonly { readonly SpecEventType: string; readonly Message?: string }[] | null;
  readonly Failure?: { readonly Message?: string; readonly Location?: { readonly FileName?: string; readonly LineNumber?: number } };
}

/** Returns the results of those of the named tests that were run. Returns none if the process ended without a report. */
function readReport(file: string, names: ReadonlySet<string>, timeoutMs: number): Map<string, TestResult> {
  const results = new Map<string, TestResult>();
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch {
    return results;
  }
  const [suite] = JSON.parse(text) as readonly [{ readonly SpecReports: readonly SpecReport[] }];
  for (const spec of suite.SpecReports) {
    const name = [...(spec.ContainerHierarchyTexts ?? []), spec.LeafNodeText].join(' ');
    const wasRun = spec.LeafNodeType === 'It' && (spec.State !== 'skipped' || spec.Failure?.Message) && spec.State !== 'pending';
    if (wasRun && names.has(name)) results.set(name, toResult(spec, timeoutMs));
  }
  return results;
}

function toResult({ State, RunTime, Failure, SpecEvents, CapturedGinkgoWriterOutput = '' }: SpecReport, timeoutMs: number): TestResult {
  const { FileName = '', LineNumber } = Failure?.Location ?? {};
  const place = FileName === '' ? '' : ` (${FileName.replace(/^.*k8s\.io\/kubernetes(?:@[^/]*)?\//, '')}:${LineNumber})`;
  const message = (Failure?.Message ?? '').replaceAll(/\s+/g, ' ').slice(0, 500);
  const steps = (SpecEvents ?? []).filter(({ SpecEventType }) => SpecEventType === 'By').map((event) => `STEP: ${event.Message}`);
  const lastStep = steps.findLast((step) => !SETUP_STEPS.test(step)) ?? 'the setup';
  const cause =
    State === 'interrupted' ? `not finished after ${timeoutMs / 1000} s, in ${lastStep}` : `${State}: ${message || lastStep}${place}`;
  const output = [...steps, '', CapturedGinkgoWriterOutput].join('\n');
  return { passed: State === 'passed', seconds: RunTime / 1e9, cause: State === 'passed' ? '' : cause, output };
}

/** Steps before and after each test. */
const SETUP_STEPS = /^STEP: (?:Creating a kubernetes client|Building a namespace|Waiting for a default service|Destroying namespace)/;

const escapeRegExp = (text: string): string => text.replaceAll(/[.^$*+?{}[\]\\|()]/g, '\\$&');
