import { dns1035Label, pathSegment, segmentParts } from '../../formats/names.ts';
import { collectCauses, type FieldCause } from '../../resources/field/causes.ts';
import { type Fields, isFields, text } from '../../resources/field/read.ts';
import { validateMetadata } from '../../resources/metadata/validate.ts';
import { additionalOf, itemsOf, propertyOf, type Schema } from '../schema/schema.ts';

/** What is wrong with embedded objects as objects. Mirrors Validate (apiextensions-apiserver/pkg/apiserver/schema/objectmeta, 1.36). */
export function causesOfEmbedded(value: unknown, schema: Schema | undefined, path: string): FieldCause[] {
  if (schema === undefined) return [];
  if (Array.isArray(value)) {
    const items = itemsOf(schema);
    return items ? value.flatMap((item, i) => causesOfEmbedded(item, items, `${path}[${i}]`)) : [];
  }
  if (!isFields(value)) return [];
  const own = schema['x-kubernetes-embedded-resource'] ? [...causesOfObject(value, path)] : [];
  const additional = additionalOf(schema);
  return Object.keys(value).reduce((causes, name) => {
    const property = propertyOf(schema, name);
    if (!property && !additional) return causes;
    for (const cause of causesOfEmbedded(value[name], property ?? additional, property ? childOf(path, name) : `${path}[${name}]`))
      causes.push(cause);
    return causes;
  }, own);
}

const childOf = (path: string, name: string): string => (path === '' ? name : `${path}.${name}`);

function causesOfObject(object: Fields, path: string): readonly FieldCause[] {
  const causes = collectCauses();
  const at = (name: string): string => childOf(path, name);
  for (const name of ['apiVersion', 'kind']) if (!Object.hasOwn(object, name)) causes.required(at(name));
  const { apiVersion, kind, metadata } = object;
  if (apiVersion === '') causes.invalid(at('apiVersion'), '', 'must not be empty');
  else if (typeof apiVersion === 'string' && apiVersion.split('/').length > 2) {
    causes.invalid(at('apiVersion'), apiVersion, `unexpected GroupVersion string: ${apiVersion}`);
  }
  if (kind === '') causes.invalid(at('kind'), '', 'must not be empty');
  else if (typeof kind === 'string') {
    const messages = dns1035Label(kind.toLowerCase());
    if (messages.length > 0) causes.invalid(at('kind'), kind, `may have mixed case, but should otherwise match: ${messages.join(',')}`);
  }
  if (isFields(metadata)) causes.add(causesOfMetadata(metadata, at('metadata')));
  return causes.list;
}

/** A name may be missing. */
function causesOfMetadata(metadata: Fields, path: string): readonly FieldCause[] {
  const causes = collectCauses();
  const named = text(metadata, 'name') === '' ? { ...metadata, name: 'fakename' } : metadata;
  const namespaced = text(metadata, 'namespace') !== '';
  validateMetadata({ metadata: named }, { namespaced, name: pathSegment, prefix: segmentParts }, causes);
  return causes.list.map((cause) => ({ ...cause, field: cause.field.replace(/^metadata/, path) }));
}
