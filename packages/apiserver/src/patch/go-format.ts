import { quote } from 'kube-endpoints/internal/apimachinery';
import { getSortedKeys, isMap } from './json.ts';

/** The `reflect.Kind` of a decoded JSON value. Numbers without a fraction count as integers. */
export type Kind = 'nil' | 'bool' | 'int64' | 'float64' | 'string' | 'map' | 'slice';

export function kindOf(value: unknown): Kind {
  if (value === null || value === undefined) return 'nil';
  if (Array.isArray(value)) return 'slice';
  const kinds = { boolean: 'bool', string: 'string', bigint: 'int64', number: Number.isInteger(value) ? 'int64' : 'float64' } as const;
  return kinds[typeof value as keyof typeof kinds] ?? 'map';
}

/** The Go type of a decoded JSON value. */
export const typeName = (value: unknown): string => typeNames[kindOf(value)] ?? kindOf(value);

/** Formats a decoded JSON value like Go's %v. */
export function format(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(format).join(' ')}]`;
  if (isMap(value)) {
    return `map[${getSortedKeys(value)
      .map((key) => `${key}:${format(value[key])}`)
      .join(' ')}]`;
  }
  return value === null || value === undefined ? '<nil>' : typeof value === 'number' ? formatNumber(value) : String(value);
}

/** Formats a decoded JSON value like Go's %#v. */
export function formatSyntax(value: unknown): string {
  if (Array.isArray(value)) return `[]interface {}{${value.map(formatSyntax).join(', ')}}`;
  if (isMap(value)) {
    return `map[string]interface {}{${getSortedKeys(value)
      .map((key) => `${quote(key)}:${formatSyntax(value[key])}`)
      .join(', ')}}`;
  }
  return typeof value === 'string' ? quote(value) : value === null || value === undefined ? 'interface {}(nil)' : format(value);
}

/** Formats a float64 like Go's %v: with an exponent below 1e-4 and from 1e6 on. */
export function formatFloat(value: number): string {
  const [digits = '', exponent = '0'] = value.toExponential().split('e');
  const power = Number(exponent);
  if (power >= -4 && power < 6) return String(value);
  return `${digits}e${power < 0 ? '-' : '+'}${String(Math.abs(power)).padStart(2, '0')}`;
}

/** JSON as Go's encoder writes it: sorted keys, HTML characters escaped. */
export const encode = (value: unknown): string => escapeHtml(write(value));

export const escapeHtml = (json: string): string =>
  json.replace(/[<>&\u2028\u2029]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);

function write(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(write).join(',')}]`;
  if (isMap(value)) {
    return `{${getSortedKeys(value)
      .map((key) => `${JSON.stringify(key)}:${write(value[key])}`)
      .join(',')}}`;
  }
  return typeof value === 'bigint' ? String(value) : JSON.stringify(value ?? null);
}

const formatNumber = (value: number): string => (Number.isInteger(value) ? String(value) : formatFloat(value));

const typeNames: Readonly<Partial<Record<Kind, string>>> = { map: 'map[string]interface {}', slice: '[]interface {}', nil: '%!s(<nil>)' };

/** Formats a `schema.GroupVersionKind` as Go does. */
export const formatGvk = ({ apiVersion, kind }: { readonly apiVersion?: unknown; readonly kind?: unknown }): string =>
  `${String(apiVersion ?? '').replace(/^[^/]*$/, '/$&')}, Kind=${kind ?? ''}`;
