import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildProgram, minorOf } from '../build.ts';
import { downloadSource } from '../build-old.ts';
import { featureGatesFile } from '../feature-gates.ts';
import { copiedFiles, generateFiles, type ReadinessProgram } from './wire.ts';
import { firstMinorWithoutGenerate, generateWire, replacementsFor } from './wire-old.ts';

/** Returns the path of a program that runs the readiness code of a Kubernetes release. Builds it unless the cache has one from the same sources. */
export async function buildReadinessOracle(program: ReadinessProgram, version: string): Promise<string> {
  const files: Record<string, string> = { ...generateFiles(program, version), ...featureGatesFile(minorOf(version)) };
  const readGo = (name: string): Promise<string> => readFile(join(import.meta.dirname, 'go', name), 'utf8');
  for (const name of copiedFiles[program]) files[name] = await readGo(name);
  if (program === 'status' && minorOf(version) < firstMinorWithoutGenerate) {
    const source = await readFile(join(await downloadSource(version, tmpdir()), 'pkg/kubelet/kubelet_pods.go'), 'utf8');
    files['generate.go'] = await readGo('generate.go');
    files['wire_generate.go'] = generateWire(source, minorOf(version));
  }
  return buildProgram(`readiness-${program}`, version, files, replacementsFor(minorOf(version)));
}
