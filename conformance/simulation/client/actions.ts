import { resources } from 'kube-endpoints/port';
import { type ClientAction, namedObject, type TestClient } from '../harness/test-client.ts';
import { namespaces } from './namespaces.ts';
import { createNode, otherActions } from './others.ts';
import { podActions, runPod } from './pods.ts';
import { createServiceIn, serviceActions } from './services.ts';

/** All actions of the test client, with their frequencies. */
export const actions: readonly ClientAction[] = [...podActions, ...serviceActions, ...otherActions];

/** Creates the objects that exist before any controller starts. */
export async function createInitialObjects(client: TestClient): Promise<void> {
  const { random } = client;
  for (const name of namespaces) await client.create(resources.namespaces, namedObject('Namespace', name));
  for (let number = random.below(4); number >= 0; number--) await createNode(client, `n${number}`);
  for (const namespace of namespaces) {
    for (let count = random.below(4); count > 0; count--) await createServiceIn(client, namespace, `s${random.below(4)}`);
    for (let count = random.below(6); count > 0; count--) await runPod(client, namespace);
  }
}

/** Creates every node to which a pod may be bound. */
export async function completeNodes(client: TestClient): Promise<void> {
  for (let number = 0; number < 4; number++) await createNode(client, `n${number}`);
}
