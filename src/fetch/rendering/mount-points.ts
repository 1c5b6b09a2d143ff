/** Elements that frameworks render a page into, as the templates of the frameworks name them. */
const mounts =
  /^(?:#(?:root|app|__next|__nuxt|___gatsby|svelte|sapper|q-app|react-root|app-root|app-mount|vue-app|ember-app|main-app|mount|application)|app-root|app-main|ion-app)$/i

/** Tells whether an element, named as `#id` or `tag`, is the mount point of a framework. */
export const isMountPoint = (name: string): boolean => mounts.test(name)
