export default {
  telemetry: false,
  compatibilityDate: '2025-11-01',
  experimental: { payloadExtraction: false },
  routeRules: { '/nuxt-shell': { ssr: false } },
  nitro: { prerender: { crawlLinks: false, routes: ['/nuxt-article', '/nuxt-shell', '/nuxt-data', '/nuxt-fetch'] } },
}
