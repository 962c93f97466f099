/// A data model with every kind of entity and property, as Xcode writes one.
enum SampleDataModel {
    static let xml = """
        <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
        <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0" userDefinedModelVersionIdentifier="">
            <entity name="Game" representedClassName="Game" elementID="Match" syncable="YES">
                <attribute name="place" optional="YES" attributeType="Composite" composite="Place"/>
                <attribute name="playerCount" optional="YES" attributeType="Integer 32" derived="YES" \
        derivationExpression="players.@count"/>
                <attribute name="prize" optional="YES" attributeType="Decimal" defaultValueString="0.0"/>
                <attribute name="startedAt" attributeType="Date" defaultDateTimeInterval="0" usesScalarValueType="NO"/>
                <attribute name="tags" optional="YES" attributeType="Transformable" valueTransformerName="TagsTransformer"/>
                <attribute name="title" attributeType="String" minValueString="1" maxValueString="40"/>
                <relationship name="fans" optional="YES" toMany="YES" deletionRule="Nullify" destinationEntity="Person" \
        inverseName="favourites" inverseEntity="Person"/>
                <relationship name="photos" optional="YES" toMany="YES" deletionRule="Cascade" destinationEntity="Photo"/>
                <relationship name="players" optional="YES" toMany="YES" maxCount="8" deletionRule="Cascade" ordered="YES" \
        destinationEntity="Player" inverseName="game" inverseEntity="Player"/>
                <fetchedProperty name="winners" optional="YES"/>
                <fetchIndex name="byStart">
                    <fetchIndexElement property="startedAt" type="Binary" order="descending"/>
                </fetchIndex>
                <uniquenessConstraints>
                    <uniquenessConstraint><constraint value="title"/></uniquenessConstraint>
                </uniquenessConstraints>
                <userInfo><entry key="note" value="x"/></userInfo>
            </entity>
            <entity name="Member" representedClassName="Member" parentEntity="Person" syncable="YES">
                <attribute name="note" optional="YES" attributeType="String"/>
            </entity>
            <entity name="Person" representedClassName="Person" isAbstract="YES" syncable="YES">
                <attribute name="id" optional="YES" attributeType="UUID" usesScalarValueType="NO"/>
                <attribute name="name" attributeType="String" indexed="YES"/>
                <attribute name="site" optional="YES" attributeType="URI"/>
                <attribute name="temporary" optional="YES" transient="YES"/>
                <relationship name="favourites" optional="YES" toMany="YES" deletionRule="Nullify" ordered="YES" \
        destinationEntity="Game" inverseName="fans" inverseEntity="Game"/>
                <relationship name="friends" optional="YES" toMany="YES" deletionRule="Nullify" destinationEntity="Person" \
        inverseName="friends" inverseEntity="Person"/>
            </entity>
            <entity name="Photo" representedClassName="Photo" syncable="YES">
                <attribute name="image" optional="YES" attributeType="Binary" allowsExternalBinaryDataStorage="YES"/>
                <relationship name="owner" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="Person"/>
            </entity>
            <entity name="Player" representedClassName="Player" parentEntity="Person" syncable="YES">
                <attribute name="isHost" attributeType="Boolean" defaultValueString="NO" usesScalarValueType="YES"/>
                <attribute name="note" optional="YES" attributeType="String"/>
                <attribute name="rank" attributeType="Integer 16" defaultValueString="0" minValueString="0"/>
                <attribute name="score" attributeType="Double" defaultValueString="0.0" usesScalarValueType="YES"/>
                <attribute name="speed" optional="YES" attributeType="Float" defaultValueString="0.5"/>
                <relationship name="game" maxCount="1" deletionRule="Nullify" destinationEntity="Game" \
        inverseName="players" inverseEntity="Game"/>
            </entity>
            <fetchRequest name="topPlayers" entity="Player" predicateString="score &gt; 10"/>
            <configuration name="Local">
                <memberEntity name="Game"/>
            </configuration>
            <composite name="Place">
                <attribute name="city" optional="YES" attributeType="String"/>
                <attribute name="latitude" optional="YES" attributeType="Double"/>
            </composite>
        </model>
        """
}
