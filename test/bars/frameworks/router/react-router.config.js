export default { ssr: false, prerender: ['/router-article', '/router-data', '/router-fetch'] }
