import { copyOf, type Fields, isFields } from '../../resources/field/read.ts';
import { additionalPropertiesOf, itemsOf, propertiesOf, propertyOf, type Schema } from '../schema/schema.ts';
import { mapFields, mapItems, removedField, setField } from './prune.ts';

const hasDefault = (schema: Schema | undefined): boolean => schema?.default !== undefined && schema.default !== null;

/**
 * Applies the defaults of a schema. A null in a field that is not nullable counts as absent. Mirrors Default
 * (apiextensions-apiserver/pkg/apiserver/schema/defaulting, 1.36).
 * @returns the same instance if nothing changes
 */
export function withDefaults(value: unknown, schema: Schema | undefined): unknown {
  if (schema === undefined) return value;
  if (Array.isArray(value)) {
    const items = itemsOf(schema);
    return mapItems(value, (item) => withDefaults(item === null && items && !items.nullable ? copyOf(items.default ?? null) : item, items));
  }
  return isFields(value) ? addFieldDefaults(value, schema) : value;
}

function addFieldDefaults(value: Fields, schema: Schema): Fields {
  let changedFields: Record<string, unknown> | undefined;
  const setChanged = (name: string, newValue: unknown): void => {
    changedFields ??= { ...value };
    setField(changedFields, name, newValue);
  };
  for (const [name, property] of propertiesOf(schema)) {
    if (!hasDefault(property)) continue;
    const isMissing = !Object.hasOwn(value, name) || (value[name] === null && !property.nullable);
    if (isMissing) setChanged(name, copyOf(property.default));
  }
  const additionalSchema = additionalPropertiesOf(schema);
  const getCurrentFields = (): Fields => changedFields ?? value;
  for (const name of Object.keys(getCurrentFields())) {
    const property = propertyOf(schema, name);
    const oldValue = getCurrentFields()[name];
    const fieldSchema = property ?? additionalSchema;
    const input =
      !property && oldValue === null && additionalSchema && !additionalSchema.nullable
        ? copyOf(additionalSchema.default ?? null)
        : oldValue;
    const newValue = withDefaults(input, fieldSchema);
    if (newValue !== oldValue) setChanged(name, newValue);
  }
  return getCurrentFields();
}

/** Removes nulls from fields that are neither nullable nor have a default. Mirrors PruneNonNullableNullsWithoutDefaults. */
export function withoutNulls(value: unknown, schema: Schema | undefined): unknown {
  if (Array.isArray(value)) {
    const items = schema && itemsOf(schema);
    return mapItems(value, (item) => withoutNulls(item, items));
  }
  if (!isFields(value)) return value;
  return mapFields(value, (field, name) => {
    const fieldSchema = schema && (propertyOf(schema, name) ?? additionalPropertiesOf(schema));
    if (field === null && fieldSchema && !fieldSchema.nullable && !hasDefault(fieldSchema)) return removedField;
    return withoutNulls(field, fieldSchema);
  });
}
