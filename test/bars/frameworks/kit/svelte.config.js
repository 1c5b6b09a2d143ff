import adapter from '@sveltejs/adapter-static'

export default {
  kit: { adapter: adapter({ fallback: 'fallback.html', strict: false }), prerender: { handleUnseenRoutes: 'ignore' } },
}
