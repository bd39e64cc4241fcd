/**
 * The main job on the cluster that ships with the project: computes and explains its Endpoints, and compares them with those
 * that a real kube-controller-manager wrote.
 * Run: npm start
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
const bin = join(root, 'packages', 'cli', 'dist', 'bin.js');
/** The release of the kube-controller-manager that wrote examples/cluster/endpoints.yaml. */
const release = '1.36.3';

const commands: readonly (readonly string[])[] = [
  ['compute', '-A'],
  ['explain', '-A'],
  ['explain', '-n', 'shop', 'checkout', 'gift-cards', 'legacy-storefront'],
  ['diff', '-A'],
];

const exitCodes = commands.map((command) => {
  const line = [...command, '-f', 'examples/cluster', '--release', release];
  process.stdout.write(`\n$ npx kubectl-endpoints ${line.join(' ')}\n`);
  return spawnSync(process.execPath, [bin, ...line], { cwd: root, stdio: 'inherit' }).status ?? 2;
});

// explain exits with 1 because this cluster has problems; diff exits with 0 only if nothing differs.
const [computeCode = 2, overviewCode = 2, detailsCode = 2, diffCode = 2] = exitCodes;
const isComplete = computeCode === 0 && overviewCode < 2 && detailsCode < 2;
const verdict = diffCode === 0 ? 'are the same as' : 'differ from';
process.stdout.write(`\nThe Endpoints computed here ${verdict} those that kube-controller-manager ${release} wrote.\n`);
process.exitCode = isComplete ? diffCode : 2;
