import type { ObjectMeta, Optional } from '../types/index.ts';

type Named = { readonly metadata?: Optional<Pick<ObjectMeta, 'name' | 'namespace'>> };

export const nameOf = ({ metadata }: Named): string => metadata?.name ?? '';
export const namespaceOf = ({ metadata }: Named): string => metadata?.namespace ?? '';
/** "shop/web" */
export const keyOf = (object: Named): string => `${namespaceOf(object)}/${nameOf(object)}`;
