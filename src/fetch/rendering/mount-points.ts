/** Where frameworks put what their scripts make, by their own templates. */
const mounts =
  /^(?:#(?:root|app|__next|__nuxt|___gatsby|svelte|sapper|q-app|react-root|app-root|app-mount|vue-app|ember-app|main-app|mount|application)|app-root|app-main|ion-app)$/i

/** Whether an element of this name, as `#id` or `tag`, is where a framework puts a page. */
export const isMountPoint = (name: string): boolean => mounts.test(name)
