import assert from 'node:assert/strict';
import type { Check } from '../apiserver/client-node/check.ts';
import type { Target } from '../apiserver/target/target.ts';
import { type Kubectl, startProgram } from './programs.ts';

/** Returns the path of a program, and builds the program if it is missing. */
export type FindProgram = (name: string) => Promise<string>;

/**
 * Runs the examples of client-go and the sample controller, which are unmodified programs from Kubernetes' modules, and a program with typed
 * clients that speak protobuf. The target has kube-controller-manager.
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
  {
    title: 'sample-controller: a custom resource owns a Deployment, follows its status and takes it along',
    run: () => checkSampleController(target, kubectl, findProgram),
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

async function checkSampleController(target: Target, kubectl: Kubectl, findProgram: FindProgram): Promise<void> {
  await kubectl('apply -f -', foos);
  await kubectl('wait crd/foos.samplecontroller.k8s.io --for=condition=Established --timeout=30s');
  const program = startProgram(await findProgram('sample-controller'), ['--kubeconfig', target.kubeconfig]);
  await program.printed('Started workers');
  await kubectl('apply -f -', createFoo(1));
  await kubectl("wait foo/sample --for=jsonpath='{.status.availableReplicas}'=1 --timeout=30s");
  await kubectl('apply -f -', createFoo(2));
  await kubectl("wait foo/sample --for=jsonpath='{.status.availableReplicas}'=2 --timeout=30s");
  assert.match(await kubectl('events --for foo/sample'), /Normal\s+Synced.*Foo synced successfully/);
  await kubectl('create deployment taken --image=registry.example/taken');
  await kubectl('apply -f -', { ...createFoo(1), metadata: { name: 'second' }, spec: { deploymentName: 'taken', replicas: 1 } });
  await program.printed('already exists and is not managed by Foo');
  await kubectl('delete foo --all');
  await kubectl('wait deployment/sample --for=delete --timeout=30s');
  assert.equal(await program.stop(), 0);
  await kubectl('delete deployment/taken crd/foos.samplecontroller.k8s.io');
}

const createFoo = (replicas: number): object => ({
  apiVersion: 'samplecontroller.k8s.io/v1alpha1',
  kind: 'Foo',
  metadata: { name: 'sample' },
  spec: { deploymentName: 'sample', replicas },
});

const integer = { type: 'integer' };
const foos = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'foos.samplecontroller.k8s.io', annotations: { 'api-approved.kubernetes.io': 'unapproved, for a test' } },
  spec: {
    group: 'samplecontroller.k8s.io',
    scope: 'Namespaced',
    names: { kind: 'Foo', plural: 'foos' },
    versions: [
      {
        name: 'v1alpha1',
        served: true,
        storage: true,
        subresources: { status: {} },
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: {
              spec: {
                type: 'object',
                properties: { deploymentName: { type: 'string' }, replicas: { ...integer, minimum: 1, maximum: 10 } },
              },
              status: { type: 'object', properties: { availableReplicas: integer } },
            },
          },
        },
      },
    ],
  },
};
