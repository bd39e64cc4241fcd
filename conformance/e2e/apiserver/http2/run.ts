import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { runComparison } from '../compare/run.ts';
import { kubectlProblem } from '../kubectl/run.ts';
import { script } from '../script/script.ts';
import type { Counts } from '../suites.ts';
import { connectOverHttp2 } from '../target/http2.ts';
import type { Target } from '../target/target.ts';

const run = promisify(execFile);

/** The topics of the comparison that differ most in how they use HTTP. */
const defaultTopics = ['health, version, users', 'bad requests', 'content types', 'lists', 'patches', 'watches'];

/** Compares both servers over HTTP/2: with the script of the comparison, with the client of Go, and with kubectl. */
export async function runHttp2(real: Target, ours: Target, topics: readonly string[]): Promise<Counts> {
  const results = [
    await runComparison(real, ours, script, topics.length > 0 ? topics : defaultTopics, { connect: connectOverHttp2 }),
    await compareWithGo(real, ours),
    await checkKubectl(ours),
  ];
  const sum = (key: keyof Counts): number => results.reduce((total, counts) => total + counts[key], 0);
  return { passed: sum('passed'), failed: sum('failed') };
}

/** Runs main.go with both servers. Every observation must be the same. */
async function compareWithGo(real: Target, ours: Target): Promise<Counts> {
  if (spawnSync('go', ['version']).status !== 0) return skip('Go is not installed');
  const dir = mkdtempSync(join(tmpdir(), 'kube-endpoints-go-client-'));
  try {
    const program = join(dir, 'client');
    await run('go', ['build', '-o', program, join(import.meta.dirname, 'main.go')]);
    const [realLines = [], ourLines = []] = await Promise.all([real, ours].map((target) => observe(program, dir, target)));
    const differences = ourLines.filter((line, i) => line !== realLines[i]);
    for (const line of ourLines) console.log(`${differences.includes(line) ? 'FAILED' : 'ok'} Go client: ${line}`);
    for (const line of realLines.filter((each) => !ourLines.includes(each))) console.log(`  real ${line}`);
    return { passed: ourLines.length - differences.length, failed: differences.length };
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

async function observe(program: string, dir: string, { name, url, ca, token }: Target): Promise<readonly string[]> {
  const caFile = join(dir, `${name}.crt`);
  writeFileSync(caFile, ca);
  const { stdout } = await run(program, [url, caFile, token]);
  return stdout.trimEnd().split('\n');
}

/** Checks that kubectl chooses HTTP/2, by the debug output of Go's client. */
async function checkKubectl({ kubeconfig }: Target): Promise<Counts> {
  const problem = kubectlProblem();
  if (problem !== undefined) return skip(problem);
  const env = { ...process.env, GODEBUG: 'http2debug=1', KUBECONFIG: kubeconfig };
  const { stderr } = await run('kubectl', ['get', 'namespaces'], { env, maxBuffer: 64 * 1024 * 1024 });
  const isHttp2 = stderr.includes('http2: Transport received HEADERS');
  console.log(`${isHttp2 ? 'ok' : 'FAILED'} kubectl uses HTTP/2`);
  return { passed: isHttp2 ? 1 : 0, failed: isHttp2 ? 0 : 1 };
}

function skip(reason: string): Counts {
  console.log(`skipped: ${reason}`);
  return { passed: 0, failed: process.env['CI'] === 'true' ? 1 : 0 };
}
