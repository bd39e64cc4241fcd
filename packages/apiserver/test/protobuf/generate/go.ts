import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Runs a Go program of this folder with one version of the modules k8s.io/api and k8s.io/apimachinery, and returns its output. */
export function runGo(program: string, release: string): string {
  const work = mkdtempSync(join(tmpdir(), 'protobuf-'));
  try {
    cpSync(join(import.meta.dirname, program), join(work, 'main.go'));
    const modules = ['api', 'apimachinery'].map((name) => `\tk8s.io/${name} v${release}\n`).join('');
    writeFileSync(join(work, 'go.mod'), `module generate\n\ngo 1.25\n\nrequire (\n${modules})\n`);
    return execFileSync('go', ['run', '-mod=mod', '.'], { cwd: work, encoding: 'utf8', maxBuffer: 2 ** 26 });
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}
