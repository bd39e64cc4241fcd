import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runGo } from './go.ts';

/** Regenerates the golden objects. Usage: objects.ts [VERSION of k8s.io/api]; needs Go. */
writeFileSync(join(import.meta.dirname, '../objects.jsonl'), runGo('objects.go', process.argv[2] ?? '0.36.3'));
