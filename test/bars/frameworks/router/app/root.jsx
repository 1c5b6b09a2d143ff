import { Outlet, Scripts } from 'react-router'

export const Layout = ({ children }) => (
  <html lang="en">
    <head>
      <meta charSet="utf-8" />
    </head>
    <body>
      {children}
      <Scripts />
    </body>
  </html>
)
const Root = () => <Outlet />
export default Root
