import { type ApiObject, apiVersionOf } from '../../port/index.ts';
import type { Description } from '../resources/index.ts';
import { admitObject, checkCreate, checkUpdate, printObject, readObject } from '../resources/write.ts';
import { forbidden } from './errors.ts';
import type { Checked, Decoded, ResourceStrategy } from './strategy.ts';

type Fields = Readonly<Record<string, unknown>>;

/** The strategy of a resource that is described: its defaults, checks and printed form. */
export function describedStrategy(description: Description): ResourceStrategy {
  const { resource, strategy, subresources, gracePeriod } = description;
  return {
    resource,
    createOnUpdate: strategy.createOnUpdate,
    unconditionalUpdate: strategy.unconditionalUpdate,
    subresources: Object.keys(subresources),
    collectsGarbage: resource.plural !== 'events',
    decode: (body) => decode(description, body),
    encode: (object) => printObject(description, object) as unknown as ApiObject,
    checkCreate: (object) => checkCreate(description, object) as Checked,
    checkUpdate: (object, old, subresource) => checkUpdate(description, object, old, subresource) as Checked,
    ...(strategy.admit && { admit: (object, old) => admit(description, object, old) }),
    ...(strategy.warnings && { warnings: strategy.warnings }),
    ...(gracePeriod && { gracePeriod }),
  };
}

function decode(description: Description, body: unknown): Decoded {
  const { value, problem, unknown } = readObject(description, body);
  const fields: Fields = value;
  const metadata = (fields['metadata'] ?? {}) as ApiObject['metadata'];
  const object = { ...fields, apiVersion: apiVersionOf(description.resource), kind: description.resource.kind, metadata };
  return { object, unknown, ...(problem !== undefined && { problem }) };
}

function admit(description: Description, object: ApiObject, old: ApiObject | undefined): ApiObject {
  const admitted = admitObject(description, object, old);
  if (admitted.forbidden === undefined) return admitted.object as unknown as ApiObject;
  const { name, generateName } = object.metadata;
  throw forbidden(description.resource, name || generateName || 'Unknown', admitted.forbidden);
}
