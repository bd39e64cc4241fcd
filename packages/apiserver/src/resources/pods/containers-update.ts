import type { UpdateStrategy } from '../description.ts';
import type { Causes } from '../field/causes.ts';
import { child, copyOf, type Draft, ensureChild, type Fields, has, list, sameValue, text } from '../field/read.ts';
import { validateMetadataUpdate } from '../metadata/validate.ts';
import { incrementPodGeneration, qosOf } from './prepare.ts';
import { validateMetadataAndSpec } from './validate/create.ts';

/** The subresource ephemeralcontainers only adds ephemeral containers. Mirrors podEphemeralContainersStrategy (pkg/registry/core/pod, 1.36). */
export const ephemeralContainersUpdate: UpdateStrategy = {
  prepareForUpdate(draft, old) {
    const containers = child(draft, 'spec')['ephemeralContainers'];
    restoreAllExceptLabels(draft, old);
    setOrDelete(ensureChild(draft, 'spec'), 'ephemeralContainers', containers);
    incrementPodGeneration(draft, old);
  },
  validateUpdate(object, old, causes) {
    if (isStatic(old)) return causes.forbidden('', 'static pods do not support ephemeral containers');
    validatePod(object, old, causes);
    validateTargets(child(object, 'spec'), causes);
    const containers = new Map(list(child(object, 'spec'), 'ephemeralContainers').map((each) => [text(each, 'name'), each]));
    for (const container of list(child(old, 'spec'), 'ephemeralContainers')) {
      const name = text(container, 'name');
      if (!containers.has(name))
        causes.forbidden('spec.ephemeralContainers', `existing ephemeral containers "${name}" may not be removed\n`);
      else if (!sameValue(containers.get(name), container)) {
        causes.forbidden('spec.ephemeralContainers', `existing ephemeral containers "${name}" may not be changed\n`);
      }
    }
  },
};

/** The target of an ephemeral container must be a container of another kind. */
function validateTargets(spec: Fields, causes: Causes): void {
  const names = containerLists.flatMap((name) => list(spec, name).map((container) => text(container, 'name')));
  for (const [i, container] of list(spec, 'ephemeralContainers').entries()) {
    const target = text(container, 'targetContainerName');
    if (target !== '' && !names.includes(target)) causes.notFound(`spec.ephemeralContainers[${i}].targetContainerName`, target);
  }
}

/** The subresource resize only changes cpu and memory of containers. Mirrors podResizeStrategy (pkg/registry/core/pod, 1.36). */
export const resizeUpdate: UpdateStrategy = {
  prepareForUpdate(draft, old) {
    const [spec, oldSpec] = [child(draft, 'spec'), child(old, 'spec')];
    const resized = containerLists.map((name) => takeResources(list(spec, name), list(oldSpec, name)));
    if (resized.includes(undefined)) return;
    restoreAllExceptLabels(draft, old);
    for (const [i, name] of containerLists.entries()) if (has(spec, name)) ensureChild(draft, 'spec')[name] = resized[i];
    incrementPodGeneration(draft, old);
  },
  validateUpdate(object, old, causes) {
    if (isStatic(old)) return causes.forbidden('', 'static pods cannot be resized');
    validatePod(object, old, causes);
    const [spec, oldSpec] = [child(object, 'spec'), child(old, 'spec')];
    const qosClass = text(child(old, 'status'), 'qosClass');
    if (qosOf(spec) !== qosClass) causes.invalid('spec', qosClass, 'Pod QOS Class may not change as a result of resizing');
    for (const name of containerLists) validateResize(list(spec, name), list(oldSpec, name), `spec.${name}`, causes);
  },
};

const containerLists = ['containers', 'initContainers'] as const;

const isStatic = (pod: Fields): boolean => Object.hasOwn(child(child(pod, 'metadata'), 'annotations'), 'kubernetes.io/config.mirror');

function validatePod(object: Fields, old: Fields, causes: Causes): void {
  validateMetadataUpdate(object, old, { knownFinalizers: true }, causes);
  validateMetadataAndSpec(object, causes);
}

/** Mirrors ResetObjectMetaForStatus: only labels and annotations, the resourceVersion and the managed fields are those of the request. */
function restoreAllExceptLabels(draft: Draft, old: Fields): void {
  const [metadata, oldMetadata] = [ensureChild(draft, 'metadata'), child(old, 'metadata')];
  for (const name of ['deletionTimestamp', 'ownerReferences', 'finalizers', 'generation'] as const)
    setOrDelete(metadata, name, oldMetadata[name]);
  for (const name of ['spec', 'status'] as const) draft[name] = copyOf(child(old, name));
}

function setOrDelete(draft: Draft, name: string, value: unknown): void {
  if (value === undefined) delete draft[name];
  else draft[name] = copyOf(value);
}

/** The old containers with the resources of the new ones. Undefined if containers were added, removed, renamed or reordered. */
function takeResources(containers: readonly Fields[], oldContainers: readonly Fields[]): readonly Fields[] | undefined {
  const sameNames =
    containers.length === oldContainers.length && containers.every((each, i) => each['name'] === oldContainers[i]?.['name']);
  if (!sameNames) return undefined;
  return oldContainers.map((old, i) => {
    const merged: Draft = { ...copyOf(old) };
    for (const name of ['resources', 'resizePolicy']) setOrDelete(merged, name, containers[i]?.[name]);
    return merged;
  });
}

function validateResize(containers: readonly Fields[], oldContainers: readonly Fields[], field: string, causes: Causes): void {
  if (containers.length !== oldContainers.length) {
    causes.forbidden(field, 'containers may not be added or removed on resize');
    return;
  }
  for (const [i, container] of containers.entries()) {
    const old = oldContainers[i] as Fields;
    if (text(container, 'name') !== text(old, 'name'))
      causes.forbidden(`${field}[${i}].name`, 'containers may not be renamed or reordered on resize');
    for (const kind of ['requests', 'limits'] as const) {
      const [values, oldValues] = [child(child(container, 'resources'), kind), child(child(old, 'resources'), kind)];
      for (const name of Object.keys(oldValues)) {
        if (!Object.hasOwn(values, name)) causes.forbidden(`${field}[${i}].resources.${kind}`, `resource ${kind} cannot be removed`);
      }
      const changed = Object.keys({ ...values, ...oldValues }).filter((name) => values[name] !== oldValues[name]);
      if (changed.some((name) => name !== 'cpu' && name !== 'memory'))
        causes.forbidden('spec', 'only cpu and memory resources are mutable');
    }
  }
}
