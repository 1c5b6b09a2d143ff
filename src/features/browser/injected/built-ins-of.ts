/** The page may have replaced them. */
const { Reflect: { get, getPrototypeOf } = {}, Proxy: ProxyClass } = window as {
  readonly Reflect?: Partial<typeof Reflect>
  readonly Proxy?: typeof Proxy
}

/** Names of the classes on whose objects the names of elements hide built-in properties. */
const CLOBBERED = /^(?:HTMLFormElement|(?:HTML|XML)?Document)$/

/**
 * Returns an object with the properties of a node as the browser defines them. A form has its fields as properties, and a
 * document has its forms, images and frames, by their names: `form.children` is the field `<input name="children">` of a
 * hotel's search form. Of other nodes it is the node itself. Only for reading its properties and calling its methods: the
 * object is not a node.
 *
 * @see https://html.spec.whatwg.org/multipage/forms.html#the-form-element
 */
export function builtInsOf<Target extends object>(target: Target): Target {
  // Names of elements hide no symbols. `instanceof` would need a class that the page may have replaced.
  const { [Symbol.toStringTag]: className = '' } = target as { readonly [Symbol.toStringTag]?: string }
  if (!get || !getPrototypeOf || !ProxyClass || !CLOBBERED.test(className)) return target
  return new ProxyClass(getPrototypeOf(target) as Target, {
    get(prototype, name) {
      const value: unknown = get(prototype, name, target)
      return typeof value === 'function' ? (value.bind(target) as unknown) : value
    },
  })
}

/** The document, with its properties as the browser defines them. It is not a node, as for {@link builtInsOf}. */
export const pageDocument = /* @__PURE__ */ builtInsOf(document)

/** Returns the root element of the document. A script may have removed it, and a style sheet that does not load leaves none. */
export const findRoot = (): HTMLElement | null => pageDocument.documentElement

/** Returns the body of the document, which a script may have removed. */
export const findBody = (): HTMLElement | null => pageDocument.body
