import { OnlyHere } from '../../parts/only-here.jsx'

const Page = () => <OnlyHere page="app-fetch" />
export default Page
