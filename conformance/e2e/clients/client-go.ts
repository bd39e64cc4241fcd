import assert from 'node:assert/strict';
import type { Check } from '../apiserver/client-node/check.ts';
import type { Target } from '../apiserver/target/target.ts';
import { type Kubectl, startProgram } from './programs.ts';

/** Returns the path of a program, and builds the program if it is missing. */
export type FindProgram = (name: string) => Promise<string>;

/**
 * Runs the examples of client-go, which are unmodified programs from Kubernetes' modules, and a program with typed clients that speak
 * protobuf. The target has kube-controller-manager.
 */
export const createClientGoChecks = (target: Target, kubectl: Kubectl, findProgram: FindProgram): readonly Check[] => [
  {
    title: 'typed clients: built-in kinds and a CustomResourceDefinition in protobuf, with integers of 64 bits',
    run: () => checkProtobuf(target, findProgram),
  },
  {
    title: 'leader-election: a second candidate takes over when the first one stops',
    run: () => checkLeaderElection(target, kubectl, findProgram),
  },
  {
    title: 'workqueue: an informer reports a pod from its creation to its deletion',
    run: () => checkWorkqueue(target, kubectl, findProgram),
  },
];

async function checkProtobuf(target: Target, findProgram: FindProgram): Promise<void> {
  const program = startProgram(await findProgram('protobuf-client'), ['--kubeconfig', target.kubeconfig]);
  await program.printed('all steps passed');
  await program.stop();
}

async function checkLeaderElection(target: Target, kubectl: Kubectl, findProgram: FindProgram): Promise<void> {
  const binary = await findProgram('leader-election');
  const start = (id: string): ReturnType<typeof startProgram> =>
    startProgram(binary, [
      ...['--kubeconfig', target.kubeconfig, '--id', id],
      '--lease-lock-name=example',
      '--lease-lock-namespace=default',
    ]);
  const first = start('first');
  await first.printed('Controller loop...');
  const second = start('second');
  await second.printed('new leader elected: first');
  assert.equal(await first.stop(), 0);
  await second.printed('Controller loop...');
  assert.equal(await kubectl("get lease example -o jsonpath='{.spec.holderIdentity} {.spec.leaseTransitions}'"), 'second 1');
  assert.equal(await second.stop(), 0);
}

async function checkWorkqueue(target: Target, kubectl: Kubectl, findProgram: FindProgram): Promise<void> {
  const program = startProgram(await findProgram('workqueue'), ['--kubeconfig', target.kubeconfig]);
  await program.printed('Pod default/mypod does not exist anymore');
  await kubectl('run queued --image=registry.example/queued');
  await program.printed('Sync/Add/Update for Pod queued');
  await kubectl('delete pod queued');
  await program.printed('Pod default/queued does not exist anymore');
  await program.stop();
}
