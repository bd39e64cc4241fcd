import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buildProgram, minorOf } from '../build.ts';
import { featureGatesFile } from '../feature-gates.ts';
import { copiedFiles, generateFiles, type ReadinessProgram } from './wire.ts';

/** Returns the path of a program that runs the readiness code of a Kubernetes release. Builds it unless the cache has one from the same sources. */
export async function buildReadinessOracle(program: ReadinessProgram, version: string): Promise<string> {
  const files: Record<string, string> = { ...generateFiles(program, version), ...featureGatesFile(minorOf(version)) };
  for (const name of copiedFiles[program]) files[name] = await readFile(join(import.meta.dirname, 'go', name), 'utf8');
  return buildProgram(`readiness-${program}`, version, files);
}
