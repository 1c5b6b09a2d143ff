import { packaged, type Subject } from './subject.js'

/** Real documentation by five different generators: Sphinx, DocBook, Doxygen, rustdoc and javadoc. */
export const packagedSites: readonly Subject[] = [
  packaged('python3-doc', '/usr/share/doc/python3.11/html', {
    start: '/manual/index.html',
    atLeast: 500,
    sitemapNamesEvery: 7,
    ruleSets: {
      'no rules': {},
      'child paths of a folder': { from: '/manual/library/index.html' },
      'the whole host from a folder': { from: '/manual/howto/', crawlEntireDomain: true, maxDiscoveryDepth: 2 },
      'includePaths and excludePaths': { includePaths: ['/library/', '/c-api/'], excludePaths: ['os'] },
      'excludePaths on full URLs, similar URLs apart': {
        excludePaths: ['/c-api/', '^http://[^/]+/manual/whatsnew/'],
        regexOnFullURL: true,
        ignoreQueryParameters: true,
        deduplicateSimilarURLs: false,
      },
      maxDiscoveryDepth: { maxDiscoveryDepth: 1 },
      'sitemap beside links': { sitemap: 'include', maxDiscoveryDepth: 1, excludePaths: ['/whatsnew/'] },
      'sitemap only': { sitemap: 'only' },
      discoverThrough: { includePaths: ['/asyncio-[a-m]'], excludePaths: ['/whatsnew/'], discoverThrough: 100_000 },
      'robots.txt': {
        robots:
          'User-agent: *\nDisallow: /manual/whatsnew/\nDisallow: /manual/library/\nAllow: /manual/library/a*.html$',
      },
    },
  }),
  packaged('postgresql-doc-15', '/usr/share/doc/postgresql-doc-15/html', {
    start: '/manual/index.html',
    atLeast: 1100,
    sitemapNamesEvery: 9,
    ruleSets: {
      'no rules': {},
      'child paths of a page without an extension': { from: '/manual' },
      'the whole host from a page': { from: '/manual/sql-select.html', crawlEntireDomain: true, maxDiscoveryDepth: 2 },
      'includePaths and excludePaths': {
        includePaths: ['/sql-', '/app-'],
        excludePaths: ['alter'],
        maxDiscoveryDepth: 3,
      },
      'excludePaths on full URLs, similar URLs apart': {
        excludePaths: ['/sql', '^http://[^/]+/manual/[a-f]'],
        regexOnFullURL: true,
        deduplicateSimilarURLs: false,
      },
      maxDiscoveryDepth: { maxDiscoveryDepth: 1 },
      'sitemap beside links': { sitemap: 'include', maxDiscoveryDepth: 0 },
      'sitemap only': { sitemap: 'only', excludePaths: ['release'] },
      discoverThrough: { includePaths: ['/spi-'], excludePaths: ['release', 'sql', 'libpq'], discoverThrough: 100_000 },
      'robots.txt': { robots: 'User-agent: trawl\nDisallow: /*-\nAllow: /manual/sql-c\n\nUser-agent: *\nDisallow: /' },
    },
  }),
  packaged('libeigen3-doc', '/usr/share/doc/libeigen3-dev/html', {
    start: '/manual/index.html',
    atLeast: 1000,
    sitemapNamesEvery: 11,
    ruleSets: {
      'no rules': {},
      'child paths of a folder': { from: '/manual/unsupported/index.html' },
      'the whole host from a page': {
        from: '/manual/unsupported/modules.html',
        crawlEntireDomain: true,
        maxDiscoveryDepth: 2,
      },
      'includePaths and excludePaths': { includePaths: ['/(group|class)', 'Tutorial'], excludePaths: ['-members'] },
      'excludePaths on full URLs, similar URLs apart': {
        excludePaths: ['_source\\.html$', '^http://[^/]+/manual/unsupported/'],
        regexOnFullURL: true,
        deduplicateSimilarURLs: false,
      },
      maxDiscoveryDepth: { maxDiscoveryDepth: 2 },
      'sitemap beside links': { sitemap: 'include', maxDiscoveryDepth: 1 },
      'sitemap only': { sitemap: 'only' },
      discoverThrough: { includePaths: ['_source\\.html$'], excludePaths: ['/unsupported/'], discoverThrough: 100_000 },
      'robots.txt': {
        robots: 'User-agent: *\nDisallow: /manual/unsupported\nDisallow: /*_source.html$\nAllow: /manual/S*_source',
      },
    },
  }),
  packaged('rust-doc', '/usr/share/doc/rust-doc/html', {
    start: '/manual/std/index.html',
    atLeast: 1500,
    sitemapNamesEvery: 40,
    ruleSets: {
      'no rules': {},
      'child paths of a folder': { from: '/manual/std/collections/' },
      'the whole host from a page': {
        from: '/manual/std/fs/struct.File.html',
        crawlEntireDomain: true,
        maxDiscoveryDepth: 1,
      },
      'includePaths and excludePaths': { includePaths: ['/(struct|index)\\b', '/$'], excludePaths: ['/os/', '/arch/'] },
      'excludePaths on full URLs, similar URLs apart': {
        excludePaths: ['/(fn|macro)\\.', '^http://[^/]+/manual/std/(os|arch)/'],
        regexOnFullURL: true,
        deduplicateSimilarURLs: false,
      },
      maxDiscoveryDepth: { maxDiscoveryDepth: 1 },
      'sitemap beside links': { sitemap: 'include', maxDiscoveryDepth: 1 },
      'sitemap only': { sitemap: 'only', includePaths: ['struct'] },
      discoverThrough: {
        includePaths: ['/std/net/enum'],
        excludePaths: ['/os/', '/arch/', '/f(32|64)'],
        discoverThrough: 100_000,
      },
      'robots.txt': {
        robots: 'User-agent: *\nDisallow: /manual/std/arch/\nDisallow: /*fn.\nAllow: /manual/std/fs/fn.\n',
      },
    },
  }),
  packaged('openjdk-17-doc', '/usr/share/doc/openjdk-17-jre-headless/api', {
    start: '/manual/index.html',
    atLeast: 10_000,
    sitemapNamesEvery: 500,
    ruleSets: {
      'no rules': {},
      'child paths of a folder': { from: '/manual/java.sql/module-summary.html' },
      'the whole host from a page': {
        from: '/manual/java.base/java/util/zip/package-summary.html',
        crawlEntireDomain: true,
        maxDiscoveryDepth: 1,
      },
      'includePaths and excludePaths': { includePaths: ['/java\\.(sql|xml)/', '-tree'], excludePaths: ['class-use'] },
      'excludePaths on full URLs, similar URLs apart': {
        excludePaths: ['/class-use/', '^http://[^/]+/manual/(java\\.desktop|jdk|java\\.base/)', '-(use|tree)\\.html'],
        regexOnFullURL: true,
        deduplicateSimilarURLs: false,
      },
      maxDiscoveryDepth: { maxDiscoveryDepth: 1 },
      'sitemap beside links': {
        sitemap: 'include',
        maxDiscoveryDepth: 1,
        excludePaths: ['class-use', 'java\\.desktop', 'index-files'],
      },
      'sitemap only': { sitemap: 'only' },
      discoverThrough: {
        includePaths: ['/java/util/zip/[A-Z]'],
        excludePaths: ['class-use', '/manual/(java\\.[c-z]|jdk)', 'index', '-tree', '-use'],
        discoverThrough: 100_000,
      },
      'robots.txt': {
        robots: `User-agent: *\nDisallow: /manual/*/class-use/\nDisallow: /manual/java.desktop/\nDisallow: /manual/jdk.
Disallow: /*-tree.html$\nAllow: /manual/java.desktop/java/awt/font/\nDisallow: /manual/java.base/`,
      },
    },
  }),
]
