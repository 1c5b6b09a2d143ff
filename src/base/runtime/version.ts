/** Version of trawl: that of `package.json`, as `npm run release:check` makes sure. */
export const VERSION = '0.1.0'
