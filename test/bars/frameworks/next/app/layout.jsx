export const metadata = { title: { default: 'A site', template: '%s | A site' } }

const Layout = ({ children }) => (
  <html lang="en">
    <body>
      <header>
        <nav>
          <a href="/">Start</a> <a href="/help">Help</a>
        </nav>
      </header>
      {children}
      <footer>All that is said on the last lines of every page of this site, year after year.</footer>
    </body>
  </html>
)
export default Layout
