import { route } from '@react-router/dev/routes'

export default ['router-article', 'router-data', 'router-fetch'].map((name) => route(name, `routes/${name}.jsx`))
