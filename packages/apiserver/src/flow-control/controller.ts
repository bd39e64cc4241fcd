import { setImmediate } from 'node:timers/promises';
import type { ApiObject } from 'kube-endpoints/port';
import { applyStatus, type Controller } from '../controllers/index.ts';
import { createTimestampFormatter, ensureExists, type Registry } from '../registry/index.ts';
import { child, list, text } from '../resources/field/read.ts';
import { createBootstrapObjects, flowSchemas, mandatoryName, priorityLevels } from '../resources/kinds/flow-control/bootstrap.ts';
import type { Clock } from '../store/index.ts';

/**
 * Creates the bootstrap objects, also if they are deleted, and maintains the condition Dangling of FlowSchemas. Mirrors pkg/registry/flowcontrol/rest, which runs every minute,
 * and presyncFlowSchemaStatus (apiserver/pkg/util/flowcontrol/apf_controller.go), both of 1.36 and in kube-apiserver itself.
 */
export function createFlowControlController(registry: Registry, clock: Clock): Controller {
  const now = createTimestampFormatter(clock);
  const reconcile = async (): Promise<void> => {
    for (const { resource, object } of createBootstrapObjects()) {
      await ensureExists(registry, resource, object, { fieldManager: producer });
      // Lets a new server answer its first requests in between.
      await setImmediate();
    }
    for (const schema of registry.store.list(flowSchemas).items) {
      await updateCondition(registry, schema, now());
      await setImmediate();
    }
  };
  return {
    initialKeys: [''],
    keysOf: ({ resource: { group } }) => (group === flowSchemas.group ? [''] : []),
    reconcile,
  };
}

const producer = 'api-priority-and-fairness-config-producer-v1';
const consumer = 'api-priority-and-fairness-config-consumer-v1';
const mandatoryNames: readonly string[] = Object.values(mandatoryName);

async function updateCondition(registry: Registry, schema: ApiObject, lastTransitionTime: string): Promise<void> {
  const { name = '' } = schema.metadata;
  const level = text(child(child(schema, 'spec'), 'priorityLevelConfiguration'), 'name');
  const exists = mandatoryNames.includes(level) || registry.store.find(priorityLevels, { name: level }) !== undefined;
  const wanted = {
    type: 'Dangling',
    status: exists ? 'False' : 'True',
    reason: exists ? 'Found' : 'NotFound',
    message: `This FlowSchema references the PriorityLevelConfiguration object named "${level}" ${
      exists ? 'and it exists' : 'but there is no such object'
    }`,
  };
  const current = list(child(schema, 'status'), 'conditions').find(({ type }) => type === wanted.type) ?? {};
  if (Object.entries(wanted).every(([field, value]) => current[field] === value)) return;
  await applyStatus(registry, flowSchemas, name, { conditions: [{ ...wanted, lastTransitionTime }] }, consumer);
}
