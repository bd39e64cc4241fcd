import { type ApiType, apiTypes, type StructType } from '../resources/index.ts';
import { fieldNumbers } from './numbers.ts';

/** How a message is read: what stands under each number. */
export type Plan = ReadonlyMap<number, PlannedField>;

export type PlannedField =
  | { readonly name: string; readonly type: ApiType; readonly embedded?: undefined }
  /** A message whose fields belong to the object that it stands in, as JSON has them. */
  | { readonly embedded: Plan };

/** The plan of a struct, made when it is first needed. @throws RangeError for one without numbers */
export function createPlans(): (struct: StructType) => Plan {
  const plans = new Map<StructType, Plan>();
  const names = new Map<ApiType, string>([...apiTypes].map(([name, type]) => [type, name]));
  const lines = linesOf(fieldNumbers);
  return (struct) => {
    const known = plans.get(struct);
    if (known) return known;
    const plan = planOf(struct, names.get(struct) ?? '', lines);
    plans.set(struct, plan);
    return plan;
  };
}

type Lines = ReadonlyMap<string, readonly string[]>;

const linesOf = (table: string): Lines =>
  new Map(
    table
      .trim()
      .split('\n')
      .map((line) => line.split(' '))
      .map(([name = '', ...fields]) => [name, fields]),
  );

function planOf(struct: StructType, name: string, lines: Lines): Plan {
  const fields = lines.get(name);
  if (!fields) throw new RangeError(`no field numbers of ${struct.go}`);
  return new Map(fields.map((text) => readField(struct, text, lines)));
}

/** "port=3", or "@2=core.VolumeSource". */
function readField(struct: StructType, text: string, lines: Lines): [number, PlannedField] {
  const [left = '', right = ''] = text.split('=');
  if (left.startsWith('@')) return [Number(left.slice(1)), { embedded: planOf(struct, right, lines) }];
  const field = struct.fields.get(left);
  if (!field) throw new RangeError(`${struct.go} has no field ${left}`);
  return [Number(right), { name: left, type: field.type }];
}
