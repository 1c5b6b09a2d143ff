/** Returns the type of an item that is given as a name, or as an object with a `type`. */
export const itemType = <Type extends string>(item: Type | { readonly type: Type }): Type =>
  typeof item === 'string' ? item : item.type
