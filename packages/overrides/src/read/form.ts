import type { FormSchema } from '../schema.ts';
import { type FormProblem, shown } from './problem.ts';

type Path = readonly (string | number)[];

/** What is wrong with the form of a value: the schema that is published is the one that is read by. */
export function checkForm(value: unknown, schema: FormSchema, path: Path = []): FormProblem[] {
  const own = schema.anyOf ? chosenOf(value, schema.anyOf) : schema;
  if (!own) return [{ path, message: `${shown(value)} is of no type that is read here`, fix: `give ${wordsFor(schema)}` }];
  if (typeOf(value, own) !== own.type) return [{ path, message: `${shown(value)} is no ${own.type}`, fix: `give ${wordsFor(schema)}` }];
  if (own.type === 'object') return checkObject(value as object, own, path);
  if (own.type === 'array') return checkList(value as readonly unknown[], own, path);
  const message = own.type === 'string' ? wrongText(value as string, own) : wrongNumber(value as number, own);
  return message === undefined ? [] : [{ path, message, fix: `give ${wordsFor(schema)}` }];
}

const chosenOf = (value: unknown, schemas: readonly FormSchema[]): FormSchema | undefined =>
  schemas.find((schema) => typeOf(value, schema) === schema.type);

function typeOf(value: unknown, { type }: FormSchema): FormSchema['type'] | undefined {
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'object') return value === null ? undefined : 'object';
  if (typeof value === 'number')
    return Number.isInteger(value) ? (type === 'integer' ? 'integer' : 'number') : Number.isFinite(value) ? 'number' : undefined;
  return typeof value === 'string' ? 'string' : undefined;
}

function checkObject(
  value: object,
  { properties = {}, required = [], minProperties = 0, maxProperties, description }: FormSchema,
  path: Path,
): FormProblem[] {
  const fields = Object.keys(value).filter(
    (name) => (value as Record<string, unknown>)[name] !== undefined || !Object.hasOwn(properties, name),
  );
  const known = Object.keys(properties);
  const list = known.join(', ');
  const problems = fields.flatMap((name): FormProblem[] => {
    if (Object.hasOwn(properties, name))
      return checkForm((value as Record<string, unknown>)[name], properties[name] as FormSchema, [...path, name]);
    const fix = known.length === 0 ? 'remove it: nothing can be said here' : `remove it, or give one of ${list}`;
    return [{ path: [...path, name.slice(0, 80)], message: 'the field is unknown', fix, atKey: true }];
  });
  for (const name of required) {
    if (!fields.includes(name))
      problems.push({ path: [...path, name], message: 'the field is missing', fix: `give ${wordsFor(properties[name] ?? {})}` });
  }
  if (fields.length < minProperties) problems.push({ path, message: 'it says nothing', fix: `give one of ${list}` });
  if (maxProperties !== undefined && fields.length > maxProperties) {
    problems.push({ path, message: `${fields.slice(0, 4).join(' and ')} stand together`, fix: `keep one: ${lower(description)}` });
  }
  return problems;
}

function checkList(value: readonly unknown[], { items = {}, minItems = 0, maxItems, uniqueItems }: FormSchema, path: Path): FormProblem[] {
  if (value.length < minItems) return [{ path, message: 'the list is empty', fix: 'give at least one' }];
  if (maxItems !== undefined && value.length > maxItems) {
    return [{ path, message: `there are ${value.length} of them`, fix: `give ${maxItems} at most` }];
  }
  const problems = Array.from(value, (item, place) => checkForm(item, items, [...path, place])).flat();
  const twice = uniqueItems ? value.findIndex((item, place) => value.indexOf(item) < place) : -1;
  if (twice >= 0)
    problems.push({ path: [...path, twice], message: `${shown(value[twice])} stands there twice`, fix: 'remove one of them' });
  return problems;
}

function wrongText(value: string, { enum: values, pattern, minLength = 0, maxLength }: FormSchema): string | undefined {
  if (values && !values.includes(value)) return `${shown(value)} is none of what can be said here`;
  if (pattern !== undefined && !new RegExp(pattern, 'u').test(value)) return `${shown(value)} is not of the form that is read here`;
  const length = [...value].length;
  if (length < minLength) return 'the text is empty';
  return maxLength !== undefined && length > maxLength ? `the text is ${length} characters long` : undefined;
}

const wrongNumber = (value: number, { minimum, maximum }: FormSchema): string | undefined =>
  (minimum !== undefined && value < minimum) || (maximum !== undefined && value > maximum) ? `${value} is out of range` : undefined;

/** What a schema asks for. */
function wordsFor({ type, enum: values, minimum, maximum, maxLength, description, anyOf, items }: FormSchema): string {
  if (values) return `one of ${values.join(', ')}`;
  const hint = description ? ` (${description.replace(/\.$/, '')})` : '';
  if (anyOf) return `${anyOf.map((each) => wordsFor(each)).join(' or ')}${hint}`;
  if (type === 'number' || type === 'integer')
    return `${type === 'integer' ? 'a whole number' : 'a number'} from ${minimum} to ${maximum}${hint}`;
  if (type === 'array') return `a list${items?.enum ? ` of ${items.enum.join(', ')}` : ''}${hint}`;
  if (type === 'object') return `an object${hint}`;
  return `text${maxLength === undefined ? '' : ` of at most ${maxLength} characters`}${hint}`;
}

const lower = (text = ''): string => text.charAt(0).toLowerCase() + text.slice(1).replace(/\.$/, '');
