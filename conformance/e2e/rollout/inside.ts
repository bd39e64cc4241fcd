import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { connectTo } from '../apiserver/target/http.ts';
import { startControlPlane } from '../takeover/control-plane.ts';
import type { MachineAnswer, MachineRequest } from './machine.ts';
import { prepareNetwork } from './network.ts';
import { runTrial } from './trial.ts';

/**
 * Runs in new network, mount and process namespaces: starts a control plane, and then trials on request of the parent process. Usage: inside.ts RELEASE
 */
const controllers = [
  'deployment-controller',
  'replicaset-controller',
  'statefulset-controller',
  'disruption-controller',
  'endpointslice-controller',
  'garbage-collector-controller',
];

const [release = ''] = process.argv.slice(2);
prepareNetwork();
const plane = await startControlPlane(release);
await plane.startOriginal(controllers);
const { clusters } = JSON.parse(readFileSync(plane.kubeconfig, 'utf8'));
const http = connectTo({
  ...{ name: 'real', url: clusters[0].cluster.server, kubeconfig: plane.kubeconfig, stop: plane.stop },
  ca: readFileSync(join(plane.dir, 'certs', 'apiserver.crt'), 'utf8'),
  token: readFileSync(join(plane.dir, 'token'), 'utf8'),
});
const answer = (message: MachineAnswer): void => void process.send?.(message);
process.on('message', ({ id, options }: MachineRequest) => {
  runTrial(http, options).then(
    (trial) => answer({ id, trial }),
    (error: unknown) => answer({ id, error: String(error) }),
  );
});
// The end of this process ends all others in its namespaces.
process.on('disconnect', () => process.exit());
answer({ id: 0 });
